(module
  (import "env" "memory" (memory 0))
  ;; Computes the outputs of some points or rows of cells.
  (func $elements (export "elements") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $at.4 i32)
    (local $x i32)
    (local $row i32)
    (local $iy i32)
    (local $target.field i32)
    (local $row.1 i32)
    (local $remaining i32)
    (local $middle i32)
    (local $plane i32)
    (local $result.gradient i32)
    (local $row.2 i32)
    (local $row.3 i32)
    (local $start i32)
    (local $iz i32)
    (local $out v128)
    (local $out.1 v128)
    (local $p0 v128)
    (local $p1 v128)
    (local $xm v128)
    (local $xp v128)
    (local $ym v128)
    (local $yp v128)
    (local.set $target.field (i32.load (local.get $block)))
    (local.set $result.gradient (i32.load offset=8 (local.get $block)))
    (local.set $p0 (v128.load32_splat offset=16 (local.get $block)))
    (local.set $p1 (v128.load32_splat offset=24 (local.get $block)))
    (if (i32.lt_u (local.tee $row (local.get $first)) (local.get $last))
      (then
        (loop
          (local.set $row.1 (i32.add (local.get $target.field) (i32.mul (local.get $row) (i32.const 12))))
          (memory.copy
            (local.tee $middle (i32.add (local.get $scratch) (i32.const 4)))
            (local.get $row.1)
            (i32.const 12))
          (f32.store (i32.sub (local.get $middle) (i32.const 4)) (f32.load offset=8 (local.get $row.1)))
          (f32.store offset=12 (local.get $middle) (f32.load (local.get $row.1)))
          (local.set $iy (i32.rem_u (local.get $row) (i32.const 4)))
          (local.set $plane (i32.sub (local.get $row) (local.get $iy)))
          (local.set $iz (i32.div_u (local.get $row) (i32.const 4)))
          (local.set $row.2
            (i32.add
              (local.get $target.field)
              (i32.mul
                (i32.add
                  (local.get $plane)
                  (select
                    (i32.const 3)
                    (i32.add (local.get $iy) (i32.const -1))
                    (i32.eq (local.get $iy) (i32.const 0))))
                (i32.const 12))))
          (local.set $row.3
            (i32.add
              (local.get $target.field)
              (i32.mul
                (i32.add
                  (local.get $plane)
                  (select
                    (i32.const 0)
                    (i32.add (local.get $iy) (i32.const 1))
                    (i32.eq (local.get $iy) (i32.const 3))))
                (i32.const 12))))
          (local.set $start (i32.mul (local.get $row) (i32.const 3)))
          (if (i32.lt_u (local.tee $x (i32.const 0)) (i32.const 3))
            (then
              (loop
                (local.set $xm
                  (v128.load (i32.add (local.get $scratch) (i32.mul (local.get $x) (i32.const 4)))))
                (local.set $xp
                  (v128.load
                    (i32.add
                      (i32.add (local.get $scratch) (i32.const 8))
                      (i32.mul (local.get $x) (i32.const 4)))))
                (local.set $ym
                  (v128.load (i32.add (local.get $row.2) (i32.mul (local.get $x) (i32.const 4)))))
                (local.set $yp
                  (v128.load (i32.add (local.get $row.3) (i32.mul (local.get $x) (i32.const 4)))))
                (local.set $at.4
                  (i32.add
                    (local.get $result.gradient)
                    (i32.mul (i32.add (local.get $start) (local.get $x)) (i32.const 8))))
                (local.set $out (f32x4.mul (local.get $p0) (f32x4.sub (local.get $xp) (local.get $xm))))
                (local.set $out.1 (f32x4.mul (local.get $p1) (f32x4.sub (local.get $yp) (local.get $ym))))
                (if (i32.ge_s (local.tee $remaining (i32.sub (i32.const 3) (local.get $x))) (i32.const 4))
                  (then
                    (v128.store32_lane 0 (local.get $at.4) (local.get $out))
                    (v128.store32_lane offset=8 1 (local.get $at.4) (local.get $out))
                    (v128.store32_lane offset=16 2 (local.get $at.4) (local.get $out))
                    (v128.store32_lane offset=24 3 (local.get $at.4) (local.get $out))
                    (v128.store32_lane offset=4 0 (local.get $at.4) (local.get $out.1))
                    (v128.store32_lane offset=12 1 (local.get $at.4) (local.get $out.1))
                    (v128.store32_lane offset=20 2 (local.get $at.4) (local.get $out.1))
                    (v128.store32_lane offset=28 3 (local.get $at.4) (local.get $out.1)))
                  (else
                    (if (i32.gt_s (local.get $remaining) (i32.const 0))
                      (then
                        (v128.store32_lane 0 (local.get $at.4) (local.get $out))
                        (v128.store32_lane offset=4 0 (local.get $at.4) (local.get $out.1))))
                    (if (i32.gt_s (local.get $remaining) (i32.const 1))
                      (then
                        (v128.store32_lane offset=8 1 (local.get $at.4) (local.get $out))
                        (v128.store32_lane offset=12 1 (local.get $at.4) (local.get $out.1))))
                    (if (i32.gt_s (local.get $remaining) (i32.const 2))
                      (then
                        (v128.store32_lane offset=16 2 (local.get $at.4) (local.get $out))
                        (v128.store32_lane offset=20 2 (local.get $at.4) (local.get $out.1))))))
                (br_if 0 (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 4))) (i32.const 3))))))
          (br_if 0 (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 1))) (local.get $last)))))))
  ;; Copies results over the field that they replace.
  (func $copy (export "copy") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $result.gradient i32)
    (local.set $result.gradient (i32.load offset=8 (local.get $block)))
    (memory.copy
      (i32.add (i32.load offset=32 (local.get $block)) (i32.mul (local.get $first) (i32.const 24)))
      (i32.add (local.get $result.gradient) (i32.mul (local.get $first) (i32.const 24)))
      (i32.mul (i32.sub (local.get $last) (local.get $first)) (i32.const 24)))))
