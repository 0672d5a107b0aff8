/* libwarpcheck: runs CUDA kernels in PTX on the CPU, under full checking. This header is C99.
 *
 *   warpcheck_session* session = warpcheck_create(NULL);
 *   uint64_t data = warpcheck_allocate(session, 4096, "data");
 *   uint32_t module;
 *   warpcheck_load(session, ptx, "kernel.ptx", &module);
 *   const uint32_t grid[3] = {4, 1, 1}, block[3] = {256, 1, 1};
 *   const void* arguments[] = {&data};
 *   if (warpcheck_launch(session, module, "kernel", grid, block, 0, arguments, 1) != WARPCHECK_OK)
 *     fputs(warpcheck_text(session), stderr);
 *   warpcheck_destroy(session);
 *
 * One thread at a time may use a session. Functions that return an int return a status below; after
 * WARPCHECK_ERROR, warpcheck_error() has the reason. Texts are UTF-8, belong to the session, and are
 * valid until the next call with it. */
#ifndef WARPCHECK_WARPCHECK_H
#define WARPCHECK_WARPCHECK_H

#include <stddef.h>
#include <stdint.h>

#include "reference.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The exit status of the command `warpcheck` has the same meaning. */
#define WARPCHECK_OK 0
#define WARPCHECK_FINDINGS 1    /* the kernel is wrong */
#define WARPCHECK_ERROR 2       /* an argument or the PTX is wrong */
#define WARPCHECK_UNSUPPORTED 3 /* the launch was not executed to its end, and has no finding */

typedef struct warpcheck_session warpcheck_session;

/* warpcheck_default_options() sets all fields. */
typedef struct warpcheck_options {
  size_t size;              /* sizeof(warpcheck_options) of the caller */
  uint64_t memory_bytes;    /* most memory of all allocations together; default 16 GiB */
  uint64_t seed;            /* determines the order in which warps run; default 0 */
  uint64_t instructions;    /* most warp instructions of a launch; 0: a generous limit */
  double seconds;           /* most time of a launch; 0: no limit */
  uint32_t threads;         /* host threads; do not change the result; 0: one per processor */
  uint8_t races;            /* 1 (default): detect races */
  uint8_t strict_races;     /* 1: benign and relaxed races are findings; 0 (default): notes */
  uint8_t strict_barriers;  /* the same for barriers that exited threads miss */
} warpcheck_options;

/* "0.2.0". */
const char* warpcheck_version(void);

void warpcheck_default_options(warpcheck_options* options);

/* NULL options are the default ones. NULL if there is no memory or an option is wrong. */
warpcheck_session* warpcheck_create(const warpcheck_options* options);
void warpcheck_destroy(warpcheck_session* session);

/* The reason of the last WARPCHECK_ERROR, with the place of each error in a PTX text. */
const char* warpcheck_error(const warpcheck_session* session);

/* Allocates undefined bytes of the device, at a multiple of 256. `name` is that in findings; NULL
 * names the allocation by its number. Returns the address; 0 if there is no memory. */
uint64_t warpcheck_allocate(warpcheck_session* session, size_t bytes, const char* name);
/* The same for zeros that the host can access too, at the same address. They count as defined.
 * NULL if there is no memory. */
void* warpcheck_allocate_host(warpcheck_session* session, size_t bytes, const char* name);
/* Frees either of them. An error if the address is not that of an allocation. */
int warpcheck_free(warpcheck_session* session, uint64_t address);

/* Makes memory of the host an allocation of the device at its own address, until
 * warpcheck_disown(). Its bytes count as defined. */
int warpcheck_adopt(warpcheck_session* session, void* first, size_t bytes, const char* name);
int warpcheck_disown(warpcheck_session* session, void* first);

/* Copies to and from the device. A range outside of the allocations is an error. `undefined`, if not
 * NULL, receives the number of bytes that were never written. */
int warpcheck_write(warpcheck_session* session, uint64_t to, const void* from, size_t bytes);
int warpcheck_read(warpcheck_session* session, void* to, uint64_t from, size_t bytes,
                   size_t* undefined);

/* Loads PTX text. `file` names it in messages; NULL: "kernel.ptx". Findings name the lines of
 * `.loc`, or those of the PTX if it has none. */
int warpcheck_load(warpcheck_session* session, const char* ptx, const char* file,
                   uint32_t* module);

/* Stores the sizes in bytes of the first `count` parameters of a kernel, and returns the number of
 * all. A NULL kernel is the only one of the module. Negative: there is no such kernel. */
long warpcheck_parameters(warpcheck_session* session, uint32_t module, const char* kernel,
                          size_t* sizes, size_t count);

/* The type of parameter i of a kernel, as its C++ name or the PTX shows it: "f16", "bf16", "f32",
 * "f64", "e4m3" or "e5m2"; an integer with its bits, "s32" or "u32", "i32" if its sign is not known;
 * "address"; "struct"; "" for bits that may be an integer or a float. NULL: there is no such
 * parameter. */
const char* warpcheck_parameter_type(warpcheck_session* session, uint32_t module, const char* kernel,
                                     size_t i);

/* Runs a kernel to its end. Argument i is the address of the value of parameter i, as for
 * cuLaunchKernel(). `shared_bytes` is dynamic shared memory. A NULL kernel is the only one; a NULL
 * grid or block is 1, 1, 1. A wrong launch configuration is a finding. */
int warpcheck_launch(warpcheck_session* session, uint32_t module, const char* kernel,
                     const uint32_t grid[3], const uint32_t block[3], size_t shared_bytes,
                     const void* const* arguments, size_t argument_count);

/* The last launch, as one JSON object: "status", "completed", "warp_instructions", "printed",
 * "findings" and "notes" with the keys of the events of `warpcheck check --json` and the "text" of
 * the console, and "unsupported", which is null if the launch was executed. */
const char* warpcheck_json(const warpcheck_session* session);

/* The findings, notes and unsupported instruction of the last launch, as the console prints them.
 * Empty if there are none. */
const char* warpcheck_text(const warpcheck_session* session);

/* A contract: the variants of a `.cu` file, of a `.toml` beside it, or of a folder, compiled to PTX.
 * Kernels are checked on the virtual device. One thread at a time may use a contract. Texts belong to
 * it, and are valid until the next call with it. */
typedef struct warpcheck_contract warpcheck_contract;

/* One finding, valid during the call of the listener. */
typedef struct warpcheck_finding {
  const char* variant;
  const char* kind;      /* the class: "wrong-result", "out-of-bounds", "race" ... */
  const char* message;   /* one sentence */
  const char* case_line; /* the smallest case: warpcheck_run_case() runs it again */
  const char* file;      /* the source file; empty: unknown */
  uint32_t line;         /* 0: unknown */
  const char* text;      /* the console text, with the command that replays the case */
  const char* json;      /* the event `finding` of `warpcheck check --json` */
} warpcheck_finding;

/* Called once for each finding, by the thread that called warpcheck_check(). It must not throw. */
typedef void (*warpcheck_listener)(void* user, const warpcheck_finding* finding);

/* warpcheck_default_check_options() sets all fields. */
typedef struct warpcheck_check_options {
  size_t size;        /* sizeof(warpcheck_check_options) of the caller */
  int64_t cases;      /* cases of each variant; default 100 */
  uint64_t seed;      /* default 0 */
  uint32_t jobs;      /* host threads; do not change the result; 0: one per processor */
  const char* device; /* "virtual" (the default), the only one: any other ends with
                         WARPCHECK_UNSUPPORTED */
} warpcheck_check_options;

void warpcheck_default_check_options(warpcheck_check_options* options);

/* Reads a contract and compiles its kernels. Returns WARPCHECK_OK, WARPCHECK_ERROR for a wrong
 * contract or source, or WARPCHECK_UNSUPPORTED if nvcc is missing. *contract is NULL only if there is
 * no memory: after an error, it has the error's text, and no variants. */
int warpcheck_contract_open(const char* path, warpcheck_contract** contract);

/* The same for kernels that are already PTX. `file` names the PTX in messages. `contract` is a text in
 * TOML. `replay` is the call that findings print to run a case again, in which {} stands for the line
 * of the case: "check(..., case=\"{}\")". */
int warpcheck_contract_open_ptx(const char* ptx, const char* file, const char* contract,
                                const char* replay, warpcheck_contract** opened);
void warpcheck_contract_close(warpcheck_contract* contract);

/* The reason that the last call failed, with the place of each error. */
const char* warpcheck_contract_error(const warpcheck_contract* contract);

size_t warpcheck_contract_variants(const warpcheck_contract* contract);
/* The name of variant i; NULL past the end. */
const char* warpcheck_contract_variant(const warpcheck_contract* contract, size_t i);

/* Computes an operation. Threads of the host call it at the same time. Any result but 0 ends the run
 * with WARPCHECK_ERROR. It must not throw. */
typedef int (*warpcheck_reference)(void* user, const warpcheck_reference_call* call);

/* Sets the reference of an operation that the contract declares without `define` and `reference`. The
 * function computes with `arithmetic`, or in double if the operation has the key `terms`. Returns
 * WARPCHECK_ERROR if there is no such operation. */
int warpcheck_contract_set_reference(warpcheck_contract* contract, const char* operation,
                                     warpcheck_reference function, void* user);

/* Runs a campaign over all variants, as `warpcheck check` does, and returns its exit status:
 * WARPCHECK_FINDINGS also for a mistrusted pass, WARPCHECK_UNSUPPORTED for a kernel that the device
 * cannot execute. NULL options are the default ones; a NULL listener receives nothing. */
int warpcheck_check(warpcheck_contract* contract, const warpcheck_check_options* options,
                    warpcheck_listener listener, void* user);

/* Runs one case, without shrinking it. The line names the variant. A case whose outputs have no
 * element, and whose grids are 0, returns WARPCHECK_OK with the verdict "not launched". */
int warpcheck_run_case(warpcheck_contract* contract, const char* case_line,
                       const warpcheck_check_options* options, warpcheck_listener listener,
                       void* user);

/* Returns the line of case `index` (at least 0) of a variant, which is in the domain of the contract.
 * It depends on the seed and the index only. Offsets of elements fit into 32 bits; some of those of a
 * campaign do not. NULL: an error. */
const char* warpcheck_generate_case(warpcheck_contract* contract, const char* variant,
                                    uint64_t seed, int64_t index);

/* Returns the lines of simpler cases, each of which ends with a line feed: those that a campaign
 * tries first to shrink a case that fails. All are in the domain. Each is simpler than the case, in
 * an order without infinite descent. Empty: there is none. NULL: an error. */
const char* warpcheck_simpler_cases(warpcheck_contract* contract, const char* case_line);

/* The verdict of variant i in the last run: "pass", "mistrusted", "unsupported", "not launched" or
 * the class of its first finding. Empty if it was not run; NULL past the end. */
const char* warpcheck_contract_verdict(const warpcheck_contract* contract, size_t i);

/* The last run: its findings as the console prints them, one line for each variant that is mistrusted
 * or unsupported, and the totals. */
const char* warpcheck_contract_text(const warpcheck_contract* contract);

/* The same as one JSON object: `cases`, their number; `findings` and `notes`, arrays of the events of
 * `warpcheck check --json`, each with its `text`; `variants`, an array of objects with the name, the
 * verdict and, for one that is mistrusted or unsupported, its line of the text. */
const char* warpcheck_contract_json(const warpcheck_contract* contract);

/* The function of libgpuocelot that tinygrad calls. Runs the only kernel of a PTX text. args[i] is
 * the value of parameter i itself. The kernel accesses the memory of the process; no extents are
 * known beyond those of its mappings, and all bytes count as defined. Prints findings to the standard
 * error. Returns a status. */
int ptx_run(const char* source, int n_args, void** args, int lx, int ly, int lz, int gx, int gy,
            int gz, int smem);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
