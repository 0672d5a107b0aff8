// Integer intrinsics. The PTX beside this file is the output of nvcc 13.0, -std=c++17.
#include <cstdint>
extern "C" __global__ void ints(int* o, unsigned* u, long long* l, unsigned long long* ul, short* s,
                                signed char* c, unsigned char* uc, int n) {
  int i = threadIdx.x;
  unsigned a = u[i], b = u[i + 1], d = u[i + 2];
  o[i] = __byte_perm(a, b, d);
  o[i + 1] = __funnelshift_l(a, b, d);
  o[i + 2] = __funnelshift_r(a, b, d);
  o[i + 3] = __funnelshift_lc(a, b, d);
  o[i + 4] = __funnelshift_rc(a, b, d);
  o[i + 5] = __dp4a((int)a, (int)b, (int)d);
  u[i + 6] = __dp4a(a, b, d);
  o[i + 7] = __dp2a_lo((int)a, (int)b, (int)d);
  u[i + 8] = __dp2a_hi(a, b, d);
  o[9] = __brev(a);
  o[10] = __brevll(ul[i]);
  o[11] = __clz(a);
  o[12] = __clzll(l[i]);
  o[13] = __ffs(a);
  o[14] = __ffsll(l[i]);
  o[15] = __popc(a);
  o[16] = __popcll(ul[i]);
  o[17] = __mulhi((int)a, (int)b);
  u[18] = __umulhi(a, b);
  l[19] = __mul64hi(l[1], l[2]);
  ul[20] = __umul64hi(ul[1], ul[2]);
  o[21] = __mul24(a, b);
  u[22] = __umul24(a, b);
  u[23] = __sad((int)a, (int)b, d);
  u[24] = __usad(a, b, d);
  o[25] = __hadd((int)a, (int)b);
  u[26] = __uhadd(a, b);
  u[27] = __urhadd(a, b);
  l[28] = l[3] / l[4];
  l[29] = l[3] % l[4];
  ul[30] = ul[3] / ul[4];
  o[31] = (int)a / (int)b;
  u[32] = a % b;
  u[33] = a / 7;
  o[34] = (int)a % 10;
  s[1] = s[2] * s[3] + s[4];
  s[5] = s[6] / s[7];
  s[8] = s[9] >> 3;
  c[1] = c[2] + c[3];
  c[4] = c[5] * c[6];
  uc[1] = uc[2] / uc[3];
  uc[4] = uc[5] >> 2;
  l[35] = (long long)(int)a * (int)b;
  ul[36] = (unsigned long long)a * b + ul[7];
  l[37] = l[5] << n;
  ul[38] = ul[8] >> n;
  l[39] = l[9] >> n;
  unsigned __int128 x = (unsigned __int128)ul[10] * ul[11] + ul[12];
  ul[40] = (unsigned long long)(x >> 64);
  ul[41] = (unsigned long long)x;
  o[42] = abs((int)a);
  l[43] = llabs(l[13]);
  o[44] = min((int)a, n);
  u[45] = max(a, b);
  l[46] = min(l[1], l[2]);
  o[47] = __fns(a, b, (int)d);
}
extern "C" __global__ void simd(unsigned* u) {
  unsigned a = u[0], b = u[1], c = u[2];
  u[10] = __vadd4(a, b);
  u[11] = __vsub2(a, b);
  u[12] = __vabsdiffu4(a, b);
  u[13] = __vmaxs2(a, b);
  u[14] = __vminu4(a, b);
  u[15] = __vcmpeq4(a, b);
  u[16] = __vsadu4(a, b);
  u[17] = __vaddss2(a, b);
  u[18] = __vavgu4(a, b);
  u[19] = __vseteq2(a, b);
  u[20] = __vabsss4(a);
  u[21] = __vneg2(a);
  u[22] = __vimax3_s32(a, b, c);
  u[23] = __vimin_s16x2_relu(a, b);
  u[24] = __viaddmax_s32(a, b, c);
  u[25] = __viaddmin_u16x2(a, b, c);
  u[26] = __vimax3_s16x2(a, b, c);
  u[27] = __vibmax_s32(a, b, (bool*)u + 200);
  u[28] = __vibmin_u16x2(a, b, (bool*)u + 201, (bool*)u + 202);
  u[29] = __viaddmax_s16x2_relu(a, b, c);
}
struct B {
  int a : 5;
  unsigned b : 7;
  long long c : 40;
  int d : 12;
};
extern "C" __global__ void bits(B* p) {
  p[1].a = p[0].b;
  p[1].c = p[0].a;
  p[1].d += p[0].d;
  p[1].b = p[0].c;
}
extern "C" __global__ void loc(int* o, int n) {
  int a[32];
  for (int i = 0; i < 32; i++) a[i] = o[i];
  for (int i = 0; i < n; i++) a[a[i] & 31] += i;
  o[n] = a[n & 31];
}
