#include "tests/sharded/run_tests.hpp"

int main(int argc, char** argv) { return warpcheck::sharded::run_tests(argc, argv); }
