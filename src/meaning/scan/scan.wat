;; The inner loop of the search by meaning (spec/image.md §7): for every row of codes
;;
;;   upper = (base + scale × (f32(code · query) × factor)) + reach
;;
;; Codes are int8, the query int16, their products summed in int32; the caller chooses the query's scale so that no sum
;; can overflow. Four rows at a time, so that what is loaded of the query serves four. All addresses are bytes; rows come
;; in fours and have a multiple of 16 codes, the rest being zeros. scalar.ts does the same, bit for bit.
(module
  (import "scan" "memory" (memory 0))

  (func (export "scan")
    (param $codes i32) (param $scales i32) (param $reaches i32) (param $query i32) (param $upper i32)
    (param $rows i32) (param $stride i32) (param $base f32) (param $factor f32)
    (local $end i32) (local $rowEnd i32) (local $q i32)
    (local $b i32) (local $c i32) (local $d i32)
    (local $low v128) (local $high v128)
    (local $sumA v128) (local $sumB v128) (local $sumC v128) (local $sumD v128)

    (if (i32.eqz (local.get $rows)) (then (return)))
    (local.set $end (i32.add (local.get $scales) (i32.shl (local.get $rows) (i32.const 2))))
    (loop $fourRows
      (local.set $b (i32.add (local.get $codes) (local.get $stride)))
      (local.set $c (i32.add (local.get $b) (local.get $stride)))
      (local.set $d (i32.add (local.get $c) (local.get $stride)))
      (local.set $rowEnd (local.get $b))
      (local.set $q (local.get $query))
      (local.set $sumA (v128.const i32x4 0 0 0 0))
      (local.set $sumB (v128.const i32x4 0 0 0 0))
      (local.set $sumC (v128.const i32x4 0 0 0 0))
      (local.set $sumD (v128.const i32x4 0 0 0 0))
      (loop $sixteenCodes
        (local.set $low (v128.load (local.get $q)))
        (local.set $high (v128.load offset=16 (local.get $q)))
        (local.set $sumA (i32x4.add (local.get $sumA) (i32x4.add
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $codes)) (local.get $low))
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $codes)) (local.get $high)))))
        (local.set $sumB (i32x4.add (local.get $sumB) (i32x4.add
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $b)) (local.get $low))
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $b)) (local.get $high)))))
        (local.set $sumC (i32x4.add (local.get $sumC) (i32x4.add
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $c)) (local.get $low))
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $c)) (local.get $high)))))
        (local.set $sumD (i32x4.add (local.get $sumD) (i32x4.add
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $d)) (local.get $low))
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $d)) (local.get $high)))))
        (local.set $q (i32.add (local.get $q) (i32.const 32)))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (local.set $c (i32.add (local.get $c) (i32.const 16)))
        (local.set $d (i32.add (local.get $d) (i32.const 16)))
        (local.set $codes (i32.add (local.get $codes) (i32.const 16)))
        (br_if $sixteenCodes (i32.lt_u (local.get $codes) (local.get $rowEnd))))

      ;; Four sums of four lanes become one lane each: [A B C D].
      (local.set $sumA (i32x4.add
        (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $sumA) (local.get $sumB))
        (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $sumA) (local.get $sumB))))
      (local.set $sumC (i32x4.add
        (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $sumC) (local.get $sumD))
        (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $sumC) (local.get $sumD))))
      (local.set $sumA (i32x4.add
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $sumA) (local.get $sumC))
        (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $sumA) (local.get $sumC))))
      (v128.store (local.get $upper)
        (f32x4.add (v128.load (local.get $reaches))
          (f32x4.add (f32x4.splat (local.get $base))
            (f32x4.mul (v128.load (local.get $scales))
              (f32x4.mul (f32x4.convert_i32x4_s (local.get $sumA)) (f32x4.splat (local.get $factor)))))))
      (local.set $codes (local.get $d))
      (local.set $upper (i32.add (local.get $upper) (i32.const 16)))
      (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
      (local.set $reaches (i32.add (local.get $reaches) (i32.const 16)))
      (br_if $fourRows (i32.lt_u (local.get $scales) (local.get $end))))))
