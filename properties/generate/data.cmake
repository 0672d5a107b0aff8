# The values of A, B and C, and their bytes. Included by properties/CMakeLists.txt.
warpcheck_room(data
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/../element.cpp ${CMAKE_CURRENT_LIST_DIR}/data.cpp
    ${CMAKE_CURRENT_LIST_DIR}/explain.cpp ${CMAKE_CURRENT_LIST_DIR}/ranges.cpp
  USES warpcheck_reference
  PRIVATE_USES fmt::fmt)
