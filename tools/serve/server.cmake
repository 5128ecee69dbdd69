# SPDX-License-Identifier: MIT
#
# plybase-serve, with the files of its page built in. It is left out where libmicrohttpd is missing;
# `plybase serve` then says so.
if(NOT MICROHTTPD_FOUND)
  message(STATUS "plybase-serve is left out: libmicrohttpd is missing (Debian: libmicrohttpd-dev)")
  return()
endif()

set(PAGE_FOLDER ${PROJECT_BINARY_DIR}/page)
file(GLOB PAGE_FILES CONFIGURE_DEPENDS tools/serve/page/* tools/serve/description/*)
add_custom_command(
  OUTPUT ${PAGE_FOLDER}/page_files.inc
  COMMAND ${PROJECT_SOURCE_DIR}/tools/serve/pack-page ${PAGE_FOLDER}
          ${PROJECT_SOURCE_DIR}/tools/serve/page ${PROJECT_SOURCE_DIR}/tools/serve/description
  DEPENDS tools/serve/pack-page ${PAGE_FILES}
  COMMENT "Packing the page")

if(NOT EXISTS ${PAGE_FOLDER}/page_files.inc) # static checks do not build
  execute_process(
    COMMAND ${PROJECT_SOURCE_DIR}/tools/serve/pack-page ${PAGE_FOLDER}
            ${PROJECT_SOURCE_DIR}/tools/serve/page ${PROJECT_SOURCE_DIR}/tools/serve/description
            COMMAND_ERROR_IS_FATAL ANY)
endif()

file(GLOB SERVE_SOURCES CONFIGURE_DEPENDS tools/serve/*.c)
# What the server shares with the commands.
set(SHARED_SOURCES answers/answer_lines.c answers/json_answers.c answers/json_positions.c answers/json_service.c
    answers/json_writer.c arguments.c arguments_help.c
    command.c export/export_rows.c position_arguments.c quantity.c stats_csv.c table_names.c)
list(TRANSFORM SHARED_SOURCES PREPEND tools/)
add_executable(plybase-serve ${SERVE_SOURCES} ${SHARED_SOURCES} ${PAGE_FOLDER}/page_files.inc)
set_source_files_properties(tools/serve/page_assets.c PROPERTIES OBJECT_DEPENDS
                            ${PAGE_FOLDER}/page_files.inc)
target_include_directories(plybase-serve PRIVATE ${PAGE_FOLDER})
target_compile_definitions(plybase-serve PRIVATE PAGE_FOLDER="${PAGE_FOLDER}")
target_link_libraries(plybase-serve PRIVATE plybase builder PkgConfig::JANSSON
                      PkgConfig::MICROHTTPD Threads::Threads)
set_target_properties(plybase-serve PROPERTIES INSTALL_RPATH "$ORIGIN/${PLYBASE_LIB_FROM_BIN}")
install(TARGETS plybase-serve)

# Units of systemd, which names programs by their whole paths, and samples for a proxy.
configure_file(tools/serve/system/plybase.service.in plybase.service @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/plybase.service tools/serve/system/plybase.socket
        DESTINATION lib/systemd/system)
install(FILES tools/serve/system/nginx.conf tools/serve/system/Caddyfile
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/plybase/examples)

# The command and its server go together.
add_dependencies(plybase-command plybase-serve)
