/* The header is C99, and a program in C links the library: it prints the finding of a kernel. */
#include <stdio.h>
#include <warpcheck/warpcheck.h>

static const char* const kPtx =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry store(.param .u64 to) {\n"
    "  .reg .b64 %d<2>;\n"
    "  ld.param.u64 %d1, [to];\n"
    "  st.global.u32 [%d1+8], 1;\n"
    "  ret;\n}\n";

int main(void) {
  warpcheck_session* const session = warpcheck_create(NULL);
  const uint64_t data = warpcheck_allocate(session, 8, "data");
  const uint32_t one[3] = {1, 1, 1};
  const void* const arguments[] = {&data};
  uint32_t module = 0;
  if (warpcheck_load(session, kPtx, "store.ptx", &module) != WARPCHECK_OK) return 2;
  const int status = warpcheck_launch(session, module, "store", one, one, 0, arguments, 1);
  fputs(warpcheck_text(session), stdout);
  warpcheck_destroy(session);
  return status;
}
