# SPDX-License-Identifier: MIT
#
# The transport over MPI as a plugin for each implementation whose compiler is found:
# libplybase-ranks-openmpi.so and -mpich.so, beside the command. Nothing is linked with them: the
# command loads one where a launcher of that implementation has started it. Another compiler is named
# by -DMPICC_openmpi=PATH or -DMPICC_mpich=PATH. `cmake --install build --component mpi` installs
# them; the package of Plybase has none, so that it depends on no MPI.
set(RANK_PLUGINS "")
foreach(mpi openmpi mpich)
  find_program(MPICC_${mpi} mpicc.${mpi})
  if(NOT MPICC_${mpi})
    message(STATUS "Builds by several ranks with ${mpi} are left out: mpicc.${mpi} is missing "
                   "(Debian: lib${mpi}-dev)")
    continue()
  endif()
  set(plugin ${PROJECT_BINARY_DIR}/libplybase-ranks-${mpi}.so)
  add_custom_command(
    OUTPUT ${plugin}
    COMMAND ${MPICC_${mpi}} -std=gnu17 -O2 -fPIC -shared -Wall -Wextra -Wno-stringop-overflow -I${PROJECT_SOURCE_DIR}
            ${PROJECT_SOURCE_DIR}/builder/ranks/mpi_transport.c -o ${plugin}
    DEPENDS ${PROJECT_SOURCE_DIR}/builder/ranks/mpi_transport.c
            ${PROJECT_SOURCE_DIR}/builder/ranks/transport.h
    VERBATIM)
  add_custom_target(ranks_${mpi} ALL DEPENDS ${plugin})
  install(FILES ${plugin} DESTINATION ${CMAKE_INSTALL_LIBDIR}/plybase COMPONENT mpi
          EXCLUDE_FROM_ALL)
  list(APPEND RANK_PLUGINS ${mpi})
endforeach()
