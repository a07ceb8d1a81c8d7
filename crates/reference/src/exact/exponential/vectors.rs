//! Results and errors of e^x as mpmath 1.3 computes them at 1500 bits.
//!
//! Among them are the arguments of binary64 whose e^x comes closest to a boundary (V. Lefèvre and
//! J.-M. Muller, *Worst Cases for Correct Rounding of the Elementary Functions in Double Precision*,
//! ARITH-15, 2001), those of binary32 from 2^-16 on (all were tried), and the ends of the ranges.

use values::float::FloatFormat;

const F16: &FloatFormat = &FloatFormat::FLOAT16;
const BF16: &FloatFormat = &FloatFormat::BFLOAT16;
const F32: &FloatFormat = &FloatFormat::FLOAT32;
const F64: &FloatFormat = &FloatFormat::FLOAT64;

/// Format, x, e^x correctly rounded.
pub(super) const RESULTS: &[(&FloatFormat, u64, u64)] = &[
    (F64, 0x3e09_e9cb_bfd6_080b, 0x3ff0_0000_0033_d398),
    (F64, 0x3c9f_ffff_ffff_ffff, 0x3ff0_0000_0000_0000),
    (F64, 0x3ca0_0000_0000_0000, 0x3ff0_0000_0000_0001),
    (F64, 0xbc90_0000_0000_0000, 0x3ff0_0000_0000_0000),
    (F64, 0xbc90_0000_0000_0001, 0x3fef_ffff_ffff_ffff),
    (F64, 0x4018_3d4b_cdeb_b3f4, 0x407a_c50b_409c_8aee),
    (F64, 0xbe4e_d318_efb6_27ea, 0x3fef_ffff_f84b_39c5),
    (F64, 0xbe23_475a_c05c_ead7, 0x3fef_ffff_fecb_8a54),
    (F64, 0x3d1d_6336_a880_77aa, 0x3ff0_0000_0000_0076),
    (F64, 0xc02e_8bdb_fcd9_144e, 0x3e8f_3e55_8cf4_de54),
    (F64, 0x0001, 0x3ff0_0000_0000_0000),
    (F64, 0x8000_0000_0000_0001, 0x3ff0_0000_0000_0000),
    (F64, 0x39b0_0000_0000_0000, 0x3ff0_0000_0000_0000),
    (F64, 0xbaf0_0000_0000_0000, 0x3ff0_0000_0000_0000),
    (F64, 0x4086_2e42_fefa_39ef, 0x7fef_ffff_ffff_ff2a),
    (F64, 0xc087_4385_446d_71c3, 0x0001),
    (F64, 0xc087_4910_d52d_3051, 0x0001),
    (F64, 0xc086_232b_dd7a_bcd2, 0x0010_0000_0000_007c),
    (F64, 0x3ff0_0000_0000_0000, 0x4005_bf0a_8b14_5769),
    (F64, 0xbff0_0000_0000_0000, 0x3fd7_8b56_362c_ef38),
    (F64, 0x3fe6_2e42_fefa_39ef, 0x4000_0000_0000_0000),
    (F32, 0xc169_12cd, 0x34fd_331b),
    (F32, 0xbbf0_edf1, 0x3f7e_1fe9),
    (F32, 0xc2b2_e798, 0x000f_6dce),
    (F32, 0xbae0_e25c, 0x3f7f_8fa7),
    (F32, 0x39c6_be5b, 0x3f80_0c6d),
    (F32, 0x38e6_9cc1, 0x3f80_039a),
    (F32, 0x383a_3ef1, 0x3f80_0175),
    (F32, 0x3d1a_274e, 0x3f84_e8ba),
    (F32, 0x4031_5b33, 0x417f_a47d),
    (F32, 0x4001_b249, 0x40f2_cd14),
    (F64, 0xc041_ccef_3376_8360, 0x3cb8_e877_f961_142c),
    (F64, 0x406b_8ec4_a373_21e0, 0x53d0_aa25_c111_8f4a),
    (F64, 0x406d_1f30_6946_cc50, 0x54f1_48c4_8c2e_5418),
    (F64, 0xc07f_45c0_8943_67b8, 0x12d1_8e1e_1cc4_843d),
    (F64, 0xc085_665c_f004_ba99, 0x0230_8dce_4111_1848),
    (F64, 0xc065_eaff_ae71_c860, 0x3020_5d4f_ce3f_812b),
    (F32, 0xc241_ea72, 0x1c85_676f),
    (F32, 0x4251_61b9, 0x6537_5adf),
    (F32, 0x41ee_a6bf, 0x5503_622d),
    (F32, 0x4151_2eca, 0x48e8_98a4),
    (F32, 0x0001, 0x3f80_0000),
    (F32, 0x8000_0001, 0x3f80_0000),
    (F32, 0x42b1_7217, 0x7f7f_ff84),
    (F32, 0xc2cf_f1b4, 0x0001),
    (F32, 0xc2ae_ac50, 0x007f_ffe6),
    (F32, 0x3f80_0000, 0x402d_f854),
    (F32, 0xbf80_0000, 0x3ebc_5ab2),
    (F32, 0x3380_0000, 0x3f80_0001),
    (F32, 0xb300_0000, 0x3f80_0000),
    (F16, 0x498b, 0x7bf7),
    (F16, 0xcc55, 0x0001),
    (F16, 0x3c00, 0x4170),
    (F16, 0x8001, 0x3c00),
    (BF16, 0x42b1, 0x7f4d),
    (BF16, 0xc2ae, 0x00b3),
    (BF16, 0x3f80, 0x402e),
];

/// Format, x, an element, its distance from e^x in 2^-20 ULP, rounded up.
#[cfg(test)]
pub(super) const ERRORS: &[(&FloatFormat, u64, u64, u128)] = &[
    (F64, 0x3e09_e9cb_bfd6_080b, 0x3ff0_0000_0033_d398, 524_288),
    (F64, 0x3c9f_ffff_ffff_ffff, 0x3ff0_0000_0000_0000, 524_288),
    (F64, 0x3ca0_0000_0000_0000, 0x3ff0_0000_0000_0001, 524_288),
    (F64, 0xbc90_0000_0000_0000, 0x3ff0_0000_0000_0000, 524_288),
    (F64, 0xbc90_0000_0000_0001, 0x3fef_ffff_ffff_ffff, 524_288),
    (F64, 0x4018_3d4b_cdeb_b3f4, 0x407a_c50b_409c_8aee, 1),
    (F64, 0xbe4e_d318_efb6_27ea, 0x3fef_ffff_f84b_39c5, 1),
    (F64, 0xbe23_475a_c05c_ead7, 0x3fef_ffff_fecb_8a54, 1),
    (F64, 0x3d1d_6336_a880_77aa, 0x3ff0_0000_0000_0076, 471_638),
    (F64, 0xc02e_8bdb_fcd9_144e, 0x3e8f_3e55_8cf4_de54, 1),
    (F32, 0x42b1_7217, 0x7f7f_ff85, 953_501),
    (F32, 0xc2cf_f1b4, 0x0002, 1_572_864),
    (F32, 0xc2ae_ac50, 0x007f_ffe7, 1_062_325),
    (F32, 0x3f80_0000, 0x402d_f855, 685_525),
    (F32, 0xbf80_0000, 0x3ebc_5ab3, 1_370_505),
    (F32, 0x3380_0000, 0x3f80_0002, 1_572_864),
    (F32, 0xb300_0000, 0x3f80_0001, 2_621_440),
    (F16, 0x498b, 0x7bf8, 1_076_742),
    (F16, 0xcc55, 0x0002, 1_572_574),
    (F16, 0x3c00, 0x4171, 1_299_924),
    (F16, 0x8001, 0x3c01, 2_097_280),
    (BF16, 0x42b1, 0x7f4e, 1_192_904),
    (BF16, 0xc2ae, 0x00b4, 825_235),
    (BF16, 0x3f80, 0x402f, 1_079_995),
    (F64, 0x3ff0_0000_0000_0000, 0x0000, 6_418_361_498_854_304_855_392),
    (F64, 0x3ff0_0000_0000_0000, 0xc004_0000_0000_0000, 12_321_319_602_441_361_372_512),
    (F64, 0xc087_2000_0000_0000, 0x0005, 83_656_483),
    (F32, 0xc2ce_0000, 0x0003, 1_759_810),
    (F32, 0x42b4_0000, 0x7f61_b1e6, 11_895_933_755_233),
    (F16, 0x4a00, 0x7000, 1_266_178_388),
    (F16, 0xcc00, 0x8002, 4_076_892),
    (F32, 0x459c_4000, 0x3f80_0000, 12_227_582_607_218),
    (BF16, 0x4120, 0x4000, 180_424_424),
];

/// The first 53 bits of e^x for the largest x of binary64.
#[cfg(test)]
pub(super) const LEADING_BITS_OF_E_TO_THE_LARGEST: u128 = 0x0014_879e_88e7_af0a;
