# SPDX-License-Identifier: MIT
#
# plybase.wasm: the probe library as a module of WebAssembly. It is left out if a tool is missing.
# wasm-ld and wasm-opt are called here, not by clang, which calls wasm-opt only if it is installed:
# the bytes would depend on that.
set(SITE_FOLDER ${PROJECT_BINARY_DIR}/site)
set(MODULE_FOLDER ${PROJECT_BINARY_DIR}/module)
find_program(CLANG_WASM NAMES clang-14)
find_program(WASM_LD NAMES wasm-ld-14)
find_program(WASM_OPT NAMES wasm-opt)
find_program(NPM npm)
find_path(WASI_LIBRARIES libc.a PATHS /usr/lib/wasm32-wasi NO_DEFAULT_PATH)
find_file(WASM_BUILTINS libclang_rt.builtins-wasm32.a NO_DEFAULT_PATH
          PATHS /usr/lib/llvm-14/lib/clang/14.0.6/lib/wasi /usr/lib/llvm-14/lib/clang/14/lib/wasi)

# The sources of libzstd 1.5.7 come from a package of npm: Debian's packages have no sources.
set(ZSTD_ARCHIVE ${MODULE_FOLDER}/zstd-napi-0.0.13.tgz)
set(ZSTD_FOLDER ${MODULE_FOLDER}/zstd)
if(CLANG_WASM AND WASM_LD AND WASM_OPT AND NPM AND WASI_LIBRARIES AND WASM_BUILTINS AND NOT EXISTS ${ZSTD_FOLDER})
  file(MAKE_DIRECTORY ${MODULE_FOLDER})
  execute_process(COMMAND ${NPM} pack --silent --prefer-offline --fetch-retries=0 zstd-napi@0.0.13
                  WORKING_DIRECTORY ${MODULE_FOLDER} TIMEOUT 60 OUTPUT_QUIET ERROR_QUIET)
  set(ZSTD_HASH "")
  if(EXISTS ${ZSTD_ARCHIVE})
    file(SHA256 ${ZSTD_ARCHIVE} ZSTD_HASH)
  endif()
  if(ZSTD_HASH STREQUAL 5b76defc67c808989c5f3920e14f662d6318b84b8d53ac3e94b99463d8d65e76)
    file(ARCHIVE_EXTRACT INPUT ${ZSTD_ARCHIVE} DESTINATION ${MODULE_FOLDER} PATTERNS package/deps/zstd)
    file(RENAME ${MODULE_FOLDER}/package/deps/zstd ${ZSTD_FOLDER})
  else()
    message(STATUS "npm did not get zstd-napi 0.0.13, or another file than is expected")
  endif()
endif()

# Licences of the code that is linked into the module.
foreach(licence /usr/share/doc/wasi-libc/copyright /usr/share/doc/libclang-rt-14-dev-wasm32/copyright
                /usr/share/doc/libxxhash-dev/copyright /usr/share/common-licenses/Apache-2.0
                ${ZSTD_FOLDER}/LICENSE)
  if(EXISTS ${licence})
    list(APPEND LICENCES ${licence})
  endif()
endforeach()
list(LENGTH LICENCES LICENCES_FOUND)
if(NOT CLANG_WASM OR NOT WASM_LD OR NOT WASM_OPT OR NOT WASI_LIBRARIES OR NOT WASM_BUILTINS
   OR NOT LICENCES_FOUND EQUAL 5)
  file(WRITE ${SITE_FOLDER}/site_files.inc "")
  message(STATUS "The module for browsers is left out, and plybase site with it: a package is missing "
                 "(Debian: clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32 binaryen npm; from npm: zstd-napi)")
  return()
endif()

# The library without the parts that read or write files or have threads; module.c reads the file.
set(MODULE_SOURCES ${PROBE_SOURCES} ${TABLES_SOURCES})
list(FILTER MODULE_SOURCES EXCLUDE REGEX tables/\(rename|threads|store/\(input_file|[a-z]*_writer\)\))
file(GLOB ZSTD_SOURCES ${ZSTD_FOLDER}/lib/common/*.c ${ZSTD_FOLDER}/lib/decompress/*.c)
list(APPEND MODULE_SOURCES ${PROJECT_SOURCE_DIR}/tools/module/module.c ${ZSTD_SOURCES})
foreach(source position_query json_positions json_writer)
  list(APPEND MODULE_SOURCES ${PROJECT_SOURCE_DIR}/tools/answers/${source}.c)
endforeach()

# Of the system's headers only xxhash.h is used, which needs no library; the others are those of
# wasi-libc. Truncation of 64-bit sizes is an error: see plb_size() in tables/bits.h. The decoders of
# libzstd are the slow and small ones: a table has few blocks of zstd.
find_file(XXHASH_HEADER xxhash.h HINTS ${XXHASH_INCLUDE_DIRS})
configure_file(${XXHASH_HEADER} ${MODULE_FOLDER}/include/xxhash.h COPYONLY)
set(MODULE_FLAGS --target=wasm32-wasi -std=gnu17 -D_GNU_SOURCE -D_WASI_EMULATED_SIGNAL -DXXH_INLINE_ALL=
    -I${PROJECT_SOURCE_DIR} -I${GENERATED} -I${PROJECT_SOURCE_DIR}/tools/module/include -I${MODULE_FOLDER}/include
    -I${ZSTD_FOLDER}/lib -DZSTD_NO_INLINE -DHUF_FORCE_DECOMPRESS_X1 -DZSTD_FORCE_DECOMPRESS_SEQUENCES_SHORT
    -O2 -ffunction-sections -fdata-sections -fno-math-errno -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.
    -Wall -Wextra -Wno-pass-failed -Werror=shorten-64-to-32 -Werror=incompatible-pointer-types
    -Werror=shift-count-overflow)
set(MODULE_OBJECTS)
foreach(source ${MODULE_SOURCES})
  file(RELATIVE_PATH object ${PROJECT_SOURCE_DIR} ${source})
  string(REPLACE "/" "_" object ${object}.o)
  set(object ${MODULE_FOLDER}/${object})
  add_custom_command(OUTPUT ${object} DEPENDS ${source} DEPFILE ${object}.d VERBATIM
                     COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${CLANG_WASM} ${MODULE_FLAGS} -MD -MF ${object}.d
                             -MT ${object} -c ${source} -o ${object}
                     COMMENT "Compiling ${source} for the module")
  list(APPEND MODULE_OBJECTS ${object})
endforeach()

set(MODULE ${MODULE_FOLDER}/plybase.wasm)
add_custom_command(
  OUTPUT ${MODULE} DEPENDS ${MODULE_OBJECTS} VERBATIM COMMENT "Linking the module"
  COMMAND ${WASM_LD} --no-entry --gc-sections --strip-all --stack-first -z stack-size=1048576
          ${WASI_LIBRARIES}/crt1-reactor.o ${MODULE_OBJECTS} ${WASI_LIBRARIES}/libc.a ${WASM_BUILTINS}
          -o ${MODULE_FOLDER}/linked.wasm
  COMMAND ${WASM_OPT} -O2 ${MODULE_FOLDER}/linked.wasm -o ${MODULE})
add_custom_target(module ALL DEPENDS ${MODULE})

# The files that plybase site embeds.
file(GLOB SITE_FILES CONFIGURE_DEPENDS tools/page/* tools/page/site/*)
add_custom_command(
  OUTPUT ${SITE_FOLDER}/site_files.inc DEPENDS ${MODULE} ${SITE_FILES} VERBATIM
  COMMAND ${PROJECT_SOURCE_DIR}/tools/page/pack-page ${SITE_FOLDER} ${MODULE}
          ${PROJECT_SOURCE_DIR}/LICENSE ${LICENCES}
  COMMENT "Packing the page of sites")
add_dependencies(tool_parts module) # both have the rules that make its files
if(NOT EXISTS ${SITE_FOLDER}/site_files.inc) # static checks do not build
  file(WRITE ${SITE_FOLDER}/site_files.inc "")
endif()
