# SPDX-License-Identifier: MIT
#
# plybase-serve, with the files of its page built in. Without libmicrohttpd, or python3 for make-manual,
# it is not built, and `plybase serve` says so.
find_program(PYTHON3 python3)
if(NOT MICROHTTPD_FOUND OR NOT PYTHON3)
  message(STATUS "plybase-serve is left out: libmicrohttpd or python3 is missing (Debian: "
                 "libmicrohttpd-dev python3)")
  return()
endif()

set(PAGE_FOLDER ${PROJECT_BINARY_DIR}/page)
set(PACK_PAGE ${PROJECT_SOURCE_DIR}/tools/page/pack-page ${PAGE_FOLDER})
file(GLOB PAGE_FILES CONFIGURE_DEPENDS tools/page/*)
add_custom_command(OUTPUT ${PAGE_FOLDER}/page_files.inc COMMAND ${PACK_PAGE} DEPENDS ${PAGE_FILES}
                   COMMENT "Packing the page")
if(NOT EXISTS ${PAGE_FOLDER}/page_files.inc) # static checks do not build
  execute_process(COMMAND ${PACK_PAGE} COMMAND_ERROR_IS_FATAL ANY)
endif()

file(GLOB SERVE_SOURCES CONFIGURE_DEPENDS tools/serve/*.c)
list(FILTER SERVE_SOURCES EXCLUDE REGEX serve_main)
add_library(serve_parts STATIC ${SERVE_SOURCES} ${PAGE_FOLDER}/page_files.inc)
set_source_files_properties(tools/serve/page_routes.c PROPERTIES OBJECT_DEPENDS
                            ${PAGE_FOLDER}/page_files.inc)
target_include_directories(serve_parts PRIVATE ${PAGE_FOLDER})
target_compile_definitions(serve_parts PRIVATE PAGE_FOLDER="${PAGE_FOLDER}")
target_link_libraries(serve_parts PUBLIC PkgConfig::MICROHTTPD PkgConfig::JANSSON Threads::Threads)
add_executable(plybase-serve tools/serve/serve_main.c)
target_link_libraries(plybase-serve PRIVATE serve_parts tool_parts plybase_static builder)
install(TARGETS plybase-serve)

# Units of systemd, which need absolute paths of programs, and example configurations of proxies.
configure_file(tools/serve/plybase.service.in plybase.service @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/plybase.service tools/serve/plybase.socket
        DESTINATION lib/systemd/system)
install(FILES tools/serve/nginx.conf tools/serve/Caddyfile
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/plybase/examples)

# Building the command also builds the server.
add_dependencies(plybase-command plybase-serve)
