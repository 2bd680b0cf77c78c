;; The inner loop of the search by meaning (spec/image.md §7): for every row of codes
;;
;;   upper = (base + scale × (f32(code · query) × factor)) + reach
;;
;; Codes are int8, the query int16, their products summed in int32; the caller chooses the query's scale so that no sum
;; can overflow. All addresses are bytes. There is at least one row, and a row has a multiple of 32 codes, the last ones
;; being zeros. One row after another is as fast as memory: four at once, which saves loads of the query, took half as
;; long again (four streams through memory instead of one). scalar.ts does the same, bit for bit.
(module
  (import "scan" "memory" (memory 0))

  (func (export "scan")
    (param $codes i32) (param $scales i32) (param $reaches i32) (param $query i32) (param $upper i32)
    (param $rows i32) (param $stride i32) (param $base f32) (param $factor f32)
    (local $end i32) (local $rowEnd i32) (local $asked i32) (local $even v128) (local $odd v128)

    (local.set $end (i32.add (local.get $codes) (i32.mul (local.get $rows) (local.get $stride))))
    (loop $row
      (local.set $rowEnd (i32.add (local.get $codes) (local.get $stride)))
      (local.set $asked (local.get $query))
      ;; Two sums, so that no addition waits for the one before.
      (local.set $even (v128.const i32x4 0 0 0 0))
      (local.set $odd (v128.const i32x4 0 0 0 0))
      (loop $codes32
        (local.set $even (i32x4.add (local.get $even)
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $codes)) (v128.load (local.get $asked)))))
        (local.set $odd (i32x4.add (local.get $odd)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $codes)) (v128.load offset=16 (local.get $asked)))))
        (local.set $even (i32x4.add (local.get $even)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=16 (local.get $codes)) (v128.load offset=32 (local.get $asked)))))
        (local.set $odd (i32x4.add (local.get $odd)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=24 (local.get $codes)) (v128.load offset=48 (local.get $asked)))))
        (local.set $codes (i32.add (local.get $codes) (i32.const 32)))
        (local.set $asked (i32.add (local.get $asked) (i32.const 64)))
        (br_if $codes32 (i32.lt_u (local.get $codes) (local.get $rowEnd))))

      ;; Eight lanes become four, two, one.
      (local.set $even (i32x4.add (local.get $even) (local.get $odd)))
      (local.set $even (i32x4.add (local.get $even)
        (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $even) (local.get $even))))
      (f32.store (local.get $upper)
        (f32.add
          (f32.add (local.get $base)
            (f32.mul (f32.load (local.get $scales))
              (f32.mul (local.get $factor)
                (f32.convert_i32_s
                  (i32.add (i32x4.extract_lane 0 (local.get $even)) (i32x4.extract_lane 1 (local.get $even)))))))
          (f32.load (local.get $reaches))))
      (local.set $upper (i32.add (local.get $upper) (i32.const 4)))
      (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
      (local.set $reaches (i32.add (local.get $reaches) (i32.const 4)))
      (br_if $row (i32.lt_u (local.get $codes) (local.get $end))))))
