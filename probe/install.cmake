# SPDX-License-Identifier: MIT
#
# What `cmake --install` and `cpack -G DEB` put where: the header, both libraries, the command, its
# pages and completions, and what find_package(plybase) and pkg-config need. Nothing but the place of
# these files is decided here; everything installed can be moved as a whole.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(PLYBASE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/plybase)
file(RELATIVE_PATH PLYBASE_ROOT_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" PLYBASE_ROOT_FROM_PC ${PLYBASE_ROOT_FROM_PC})

# Libraries. The static one is in an export of its own: only who links it needs the development
# files of LMDB and zstd, which plybaseConfig.cmake finds as plybase::storage.
target_include_directories(plybase INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_include_directories(plybase_static INTERFACE
                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(plybase_static PROPERTIES OUTPUT_NAME plybase)
set_property(TARGET plybase_static PROPERTY INTERFACE_LINK_LIBRARIES
             $<BUILD_INTERFACE:PkgConfig::STORAGE> $<INSTALL_INTERFACE:plybase::storage>)
# Both headers stand side by side; in the source tree the vocabulary is in tables/, and the version
# in a file of its own.
file(READ probe/plybase.h PLYBASE_HEADER)
string(REPLACE "\"tables/vocabulary.h\"" "\"plybase_vocabulary.h\"" PLYBASE_HEADER "${PLYBASE_HEADER}")
file(CONFIGURE OUTPUT include/plybase.h CONTENT "${PLYBASE_HEADER}" @ONLY)
file(READ tables/vocabulary.h VOCABULARY)
file(READ ${GENERATED}/tables/version.h VERSION_LINES)
string(REPLACE "#include \"tables/version.h\"\n" "${VERSION_LINES}" VOCABULARY "${VOCABULARY}")
file(CONFIGURE OUTPUT include/plybase_vocabulary.h CONTENT "${VOCABULARY}" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS probe/plybase.h tables/vocabulary.h)
install(FILES ${PROJECT_BINARY_DIR}/include/plybase.h
              ${PROJECT_BINARY_DIR}/include/plybase_vocabulary.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS plybase EXPORT plybaseTargets)
install(TARGETS plybase_static EXPORT plybaseStaticTargets)

# For CMake.
install(EXPORT plybaseTargets NAMESPACE plybase:: DESTINATION ${PLYBASE_CMAKE_DIR})
install(EXPORT plybaseStaticTargets NAMESPACE plybase:: DESTINATION ${PLYBASE_CMAKE_DIR})
configure_package_config_file(probe/plybaseConfig.cmake.in plybaseConfig.cmake
                              INSTALL_DESTINATION ${PLYBASE_CMAKE_DIR}
                              NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(plybaseConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/plybaseConfig.cmake
              ${PROJECT_BINARY_DIR}/plybaseConfigVersion.cmake
        DESTINATION ${PLYBASE_CMAKE_DIR})

# For pkg-config.
configure_file(probe/plybase.pc.in plybase.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/plybase.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS plybase-command)
foreach(page tools/manual/plybase.1 probe/plybase.3)
  string(REGEX MATCH "[^/]+([0-9])$" name ${page})
  file(READ ${page} PAGE)
  string(REPLACE "\n.Os\n" "\n.Os Plybase ${PROJECT_VERSION}\n" PAGE "${PAGE}")
  file(CONFIGURE OUTPUT ${name} CONTENT "${PAGE}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  install(FILES ${PROJECT_BINARY_DIR}/${name} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${CMAKE_MATCH_1})
endforeach()
install(FILES tools/manual/plybase.bash RENAME plybase
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES tools/manual/plybase.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
set(PLYBASE_ZSH site-functions)
if(CMAKE_INSTALL_PREFIX STREQUAL /usr)
  set(PLYBASE_ZSH vendor-completions) # where Debian has those of packages
endif()
install(FILES tools/manual/plybase.zsh RENAME _plybase
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${PLYBASE_ZSH})
install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/plybase)
# The programs and libraries have the code of xxHash's header in them; whoever passes them on adds its
# licence. On systems other than Debian it stands in the header itself.
if(EXISTS /usr/share/doc/libxxhash-dev/copyright)
  install(FILES /usr/share/doc/libxxhash-dev/copyright RENAME copyright.xxhash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/plybase)
endif()
# Documents, and what they link to, keep their folders, so that their links work.
file(GLOB DOCUMENTS CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     README.md .github/*.md .github/*.cff builder/*.md probe/*.md probe/examples/* tables/*.md
     tables/count/*.md tables/count/*.tsv tables/data/* tests/*.md tools/*.md tools/*/*.md)
foreach(document ${DOCUMENTS})
  cmake_path(GET document PARENT_PATH folder)
  install(FILES ${document} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/plybase/${folder})
endforeach()

# One Debian package; what it depends on is read from the programs themselves. Who makes it says who
# answers for it; CPack asks when it runs, so that a build for oneself needs no name. With the prefix
# /usr the libraries are where Debian has them, in a folder of the architecture.
set(PLYBASE_MAINTAINER "" CACHE STRING "Maintainer of the Debian package: Name <mail@address>")
if(PLYBASE_MAINTAINER AND NOT PLYBASE_MAINTAINER MATCHES "^[^<>]+ <[^<>@ ]+@[^<>@ ]+>$")
  message(FATAL_ERROR "PLYBASE_MAINTAINER is '${PLYBASE_MAINTAINER}' and should be of the form "
                      "'Name <mail@address>'")
endif()
file(CONFIGURE OUTPUT PlybaseCPack.cmake @ONLY CONTENT [[
if(CPACK_GENERATOR STREQUAL DEB AND NOT CPACK_DEBIAN_PACKAGE_MAINTAINER)
  message(FATAL_ERROR "A package names its maintainer: run cmake with "
                      "-DPLYBASE_MAINTAINER='Name <mail@address>' first")
endif()
]])
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/PlybaseCPack.cmake)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${PLYBASE_MAINTAINER})
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME plybase)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "endgame tables of placement games")
set(CPACK_PACKAGE_DESCRIPTION
    "Solves Connect-k, k-in-a-row and the square game completely, keeps the value of every
position in one file, and answers any position from the command line, C or Python.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libedit2) # it is loaded when it is needed
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "liblmdb-dev, libzstd-dev")
include(CPack)
