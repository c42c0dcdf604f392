(module
  (import "env" "memory" (memory 0))
  ;; Computes the outputs of some points or rows of cells.
  (func $elements (export "elements") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $at.6 i32)
    (local $start i32)
    (local $target.position i32)
    (local $target.velocity i32)
    (local $n i32)
    (local $at i32)
    (local $at.1 i32)
    (local $at.2 i32)
    (local $at.3 i32)
    (local $at.4 i32)
    (local $at.5 i32)
    (local $remaining i32)
    (local $result.position i32)
    (local $targetCount i32)
    (local $out v128)
    (local $out.1 v128)
    (local $out.2 v128)
    (local $c0 v128)
    (local $p0 v128)
    (local $position_x v128)
    (local $position_y v128)
    (local $position_z v128)
    (local $velocity_x v128)
    (local $velocity_y v128)
    (local $velocity_z v128)
    (local.set $c0 (v128.const i32x4 0 0 0 0))
    (local.set $target.position (i32.load (local.get $block)))
    (local.set $target.velocity (i32.load offset=8 (local.get $block)))
    (local.set $result.position (i32.load offset=16 (local.get $block)))
    (local.set $targetCount (i32.load offset=24 (local.get $block)))
    (local.set $p0 (v128.load32_splat offset=32 (local.get $block)))
    (if (i32.lt_u (local.tee $n (local.get $first)) (local.get $last))
      (then
        (loop
          (local.set $start (i32.mul (local.get $n) (i32.const 4)))
          (local.set $position_x
            (v128.load32_lane offset=36 3
              (local.tee $at
                (i32.add (local.get $target.position) (i32.mul (local.get $start) (i32.const 12))))
              (v128.load32_lane offset=24 2
                (local.get $at)
                (v128.load32_lane offset=12 1
                  (local.get $at)
                  (v128.load32_lane 0 (local.get $at) (local.get $c0))))))
          (local.set $position_y
            (v128.load32_lane offset=40 3
              (local.tee $at.1
                (i32.add (local.get $target.position) (i32.mul (local.get $start) (i32.const 12))))
              (v128.load32_lane offset=28 2
                (local.get $at.1)
                (v128.load32_lane offset=16 1
                  (local.get $at.1)
                  (v128.load32_lane offset=4 0 (local.get $at.1) (local.get $c0))))))
          (local.set $position_z
            (v128.load32_lane offset=44 3
              (local.tee $at.2
                (i32.add (local.get $target.position) (i32.mul (local.get $start) (i32.const 12))))
              (v128.load32_lane offset=32 2
                (local.get $at.2)
                (v128.load32_lane offset=20 1
                  (local.get $at.2)
                  (v128.load32_lane offset=8 0 (local.get $at.2) (local.get $c0))))))
          (local.set $velocity_x
            (v128.load32_lane offset=36 3
              (local.tee $at.3
                (i32.add (local.get $target.velocity) (i32.mul (local.get $start) (i32.const 12))))
              (v128.load32_lane offset=24 2
                (local.get $at.3)
                (v128.load32_lane offset=12 1
                  (local.get $at.3)
                  (v128.load32_lane 0 (local.get $at.3) (local.get $c0))))))
          (local.set $velocity_y
            (v128.load32_lane offset=40 3
              (local.tee $at.4
                (i32.add (local.get $target.velocity) (i32.mul (local.get $start) (i32.const 12))))
              (v128.load32_lane offset=28 2
                (local.get $at.4)
                (v128.load32_lane offset=16 1
                  (local.get $at.4)
                  (v128.load32_lane offset=4 0 (local.get $at.4) (local.get $c0))))))
          (local.set $velocity_z
            (v128.load32_lane offset=44 3
              (local.tee $at.5
                (i32.add (local.get $target.velocity) (i32.mul (local.get $start) (i32.const 12))))
              (v128.load32_lane offset=32 2
                (local.get $at.5)
                (v128.load32_lane offset=20 1
                  (local.get $at.5)
                  (v128.load32_lane offset=8 0 (local.get $at.5) (local.get $c0))))))
          (local.set $at.6 (i32.add (local.get $result.position) (i32.mul (local.get $start) (i32.const 12))))
          (local.set $out
            (f32x4.add (local.get $position_x) (f32x4.mul (local.get $p0) (local.get $velocity_x))))
          (local.set $out.1
            (f32x4.add (local.get $position_y) (f32x4.mul (local.get $p0) (local.get $velocity_y))))
          (local.set $out.2
            (f32x4.add (local.get $position_z) (f32x4.mul (local.get $p0) (local.get $velocity_z))))
          (if (i32.ge_s
              (local.tee $remaining (i32.sub (local.get $targetCount) (local.get $start)))
              (i32.const 4))
            (then
              (v128.store32_lane 0 (local.get $at.6) (local.get $out))
              (v128.store32_lane offset=12 1 (local.get $at.6) (local.get $out))
              (v128.store32_lane offset=24 2 (local.get $at.6) (local.get $out))
              (v128.store32_lane offset=36 3 (local.get $at.6) (local.get $out))
              (v128.store32_lane offset=4 0 (local.get $at.6) (local.get $out.1))
              (v128.store32_lane offset=16 1 (local.get $at.6) (local.get $out.1))
              (v128.store32_lane offset=28 2 (local.get $at.6) (local.get $out.1))
              (v128.store32_lane offset=40 3 (local.get $at.6) (local.get $out.1))
              (v128.store32_lane offset=8 0 (local.get $at.6) (local.get $out.2))
              (v128.store32_lane offset=20 1 (local.get $at.6) (local.get $out.2))
              (v128.store32_lane offset=32 2 (local.get $at.6) (local.get $out.2))
              (v128.store32_lane offset=44 3 (local.get $at.6) (local.get $out.2)))
            (else
              (if (i32.gt_s (local.get $remaining) (i32.const 0))
                (then
                  (v128.store32_lane 0 (local.get $at.6) (local.get $out))
                  (v128.store32_lane offset=4 0 (local.get $at.6) (local.get $out.1))
                  (v128.store32_lane offset=8 0 (local.get $at.6) (local.get $out.2))))
              (if (i32.gt_s (local.get $remaining) (i32.const 1))
                (then
                  (v128.store32_lane offset=12 1 (local.get $at.6) (local.get $out))
                  (v128.store32_lane offset=16 1 (local.get $at.6) (local.get $out.1))
                  (v128.store32_lane offset=20 1 (local.get $at.6) (local.get $out.2))))
              (if (i32.gt_s (local.get $remaining) (i32.const 2))
                (then
                  (v128.store32_lane offset=24 2 (local.get $at.6) (local.get $out))
                  (v128.store32_lane offset=28 2 (local.get $at.6) (local.get $out.1))
                  (v128.store32_lane offset=32 2 (local.get $at.6) (local.get $out.2))))))
          (br_if 0 (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (local.get $last))))))))
