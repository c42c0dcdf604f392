(module
  (import "env" "memory" (memory 0))
  ;; Prepares the targets for the loop over pairs.
  (func $targets (export "targets") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $at i32)
    (local $at.1 i32)
    (local $n i32)
    (local $start i32)
    (local $target.position i32)
    (local $targets i32)
    (local $xi v128)
    (local $yi v128)
    (local $zi v128)
    (local $c0 v128)
    (local.set $c0 (v128.const i32x4 0 0 0 0))
    (local.set $target.position (i32.load (local.get $block)))
    (local.set $targets (i32.load offset=8 (local.get $block)))
    (if (i32.lt_u (local.tee $n (local.get $first)) (local.get $last))
      (then
        (loop
          (local.set $start (i32.mul (local.get $n) (i32.const 4)))
          (local.set $xi
            (v128.load32_lane offset=36 3
              (local.tee $at
                (i32.add (local.get $target.position) (i32.mul (local.get $start) (i32.const 12))))
              (v128.load32_lane offset=24 2
                (local.get $at)
                (v128.load32_lane offset=12 1
                  (local.get $at)
                  (v128.load32_lane 0 (local.get $at) (local.get $c0))))))
          (local.set $yi
            (v128.load32_lane offset=40 3
              (local.get $at)
              (v128.load32_lane offset=28 2
                (local.get $at)
                (v128.load32_lane offset=16 1
                  (local.get $at)
                  (v128.load32_lane offset=4 0 (local.get $at) (local.get $c0))))))
          (local.set $zi
            (v128.load32_lane offset=44 3
              (local.get $at)
              (v128.load32_lane offset=32 2
                (local.get $at)
                (v128.load32_lane offset=20 1
                  (local.get $at)
                  (v128.load32_lane offset=8 0 (local.get $at) (local.get $c0))))))
          (v128.store32_lane 0
            (local.tee $at.1 (i32.add (local.get $targets) (i32.mul (local.get $start) (i32.const 12))))
            (local.get $xi))
          (v128.store32_lane offset=12 1 (local.get $at.1) (local.get $xi))
          (v128.store32_lane offset=24 2 (local.get $at.1) (local.get $xi))
          (v128.store32_lane offset=36 3 (local.get $at.1) (local.get $xi))
          (v128.store32_lane offset=4 0 (local.get $at.1) (local.get $yi))
          (v128.store32_lane offset=16 1 (local.get $at.1) (local.get $yi))
          (v128.store32_lane offset=28 2 (local.get $at.1) (local.get $yi))
          (v128.store32_lane offset=40 3 (local.get $at.1) (local.get $yi))
          (v128.store32_lane offset=8 0 (local.get $at.1) (local.get $zi))
          (v128.store32_lane offset=20 1 (local.get $at.1) (local.get $zi))
          (v128.store32_lane offset=32 2 (local.get $at.1) (local.get $zi))
          (v128.store32_lane offset=44 3 (local.get $at.1) (local.get $zi))
          (br_if 0 (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (local.get $last)))))))
  ;; Prepares the sources for the loop over pairs.
  (func $sources (export "sources") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $at i32)
    (local $n i32)
    (local $at.1 i32)
    (local $source.position i32)
    (local $sources i32)
    (local $start i32)
    (local $c0 v128)
    (local $xj v128)
    (local $yj v128)
    (local $zj v128)
    (local.set $c0 (v128.const i32x4 0 0 0 0))
    (local.set $source.position (i32.load offset=16 (local.get $block)))
    (local.set $sources (i32.load offset=24 (local.get $block)))
    (if (i32.lt_u (local.tee $n (local.get $first)) (local.get $last))
      (then
        (loop
          (local.set $start (i32.mul (local.get $n) (i32.const 4)))
          (local.set $xj
            (v128.load32_lane offset=36 3
              (local.tee $at
                (i32.add (local.get $source.position) (i32.mul (local.get $start) (i32.const 12))))
              (v128.load32_lane offset=24 2
                (local.get $at)
                (v128.load32_lane offset=12 1
                  (local.get $at)
                  (v128.load32_lane 0 (local.get $at) (local.get $c0))))))
          (local.set $yj
            (v128.load32_lane offset=40 3
              (local.get $at)
              (v128.load32_lane offset=28 2
                (local.get $at)
                (v128.load32_lane offset=16 1
                  (local.get $at)
                  (v128.load32_lane offset=4 0 (local.get $at) (local.get $c0))))))
          (local.set $zj
            (v128.load32_lane offset=44 3
              (local.get $at)
              (v128.load32_lane offset=32 2
                (local.get $at)
                (v128.load32_lane offset=20 1
                  (local.get $at)
                  (v128.load32_lane offset=8 0 (local.get $at) (local.get $c0))))))
          (v128.store
            (local.tee $at.1 (i32.add (local.get $sources) (i32.mul (local.get $n) (i32.const 48))))
            (local.get $xj))
          (v128.store offset=16 (local.get $at.1) (local.get $yj))
          (v128.store offset=32 (local.get $at.1) (local.get $zj))
          (br_if 0 (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (local.get $last)))))))
  ;; Meets some targets with sources, tile by tile.
  (func $pairs (export "pairs") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $column i32)
    (local $there.1 i32)
    (local $sourceCount i32)
    (local $sources i32)
    (local $row i32)
    (local $column.1 i32)
    (local $there i32)
    (local $start i32)
    (local $whole i32)
    (local $remaining i32)
    (local $sourceFirst i32)
    (local $at i32)
    (local $at.1 i32)
    (local $at.2 i32)
    (local $at.3 i32)
    (local $at.4 i32)
    (local $at.5 i32)
    (local $targets i32)
    (local $result.value i32)
    (local $targetFirst i32)
    (local $columns i32)
    (local $register i32)
    (local $register.1 i32)
    (local $register.2 i32)
    (local $register.3 i32)
    (local $register.4 i32)
    (local $j i32)
    (local $r20.1 v128)
    (local $xi v128)
    (local $yi v128)
    (local $zi v128)
    (local $dx0 v128)
    (local $dy0 v128)
    (local $dz0 v128)
    (local $dx1 v128)
    (local $dy1 v128)
    (local $dz1 v128)
    (local $dx2 v128)
    (local $dy2 v128)
    (local $dz2 v128)
    (local $dx3 v128)
    (local $dy3 v128)
    (local $dz3 v128)
    (local $dx0.1 v128)
    (local $dy0.1 v128)
    (local $dz0.1 v128)
    (local $xj v128)
    (local $yj v128)
    (local $zj v128)
    (local $r20 v128)
    (local $xj.1 v128)
    (local $yj.1 v128)
    (local $zj.1 v128)
    (local $r21 v128)
    (local $xj.2 v128)
    (local $yj.2 v128)
    (local $zj.2 v128)
    (local $r22 v128)
    (local $xj.3 v128)
    (local $yj.3 v128)
    (local $zj.3 v128)
    (local $r23 v128)
    (local $xj.4 v128)
    (local $yj.4 v128)
    (local $zj.4 v128)
    (local.set $targets (i32.load offset=8 (local.get $block)))
    (local.set $sources (i32.load offset=24 (local.get $block)))
    (local.set $result.value (i32.load offset=32 (local.get $block)))
    (local.set $sourceCount (i32.load offset=40 (local.get $block)))
    (local.set $targetFirst (i32.load offset=48 (local.get $block)))
    (local.set $sourceFirst (i32.load offset=56 (local.get $block)))
    (local.set $columns (i32.load offset=64 (local.get $block)))
    (if (i32.lt_u (local.tee $row (local.get $first)) (local.get $last))
      (then
        (loop
          (local.set $xi
            (v128.load32_splat
              (local.tee $at (i32.add (local.get $targets) (i32.mul (local.get $row) (i32.const 12))))))
          (local.set $yi (v128.load32_splat offset=4 (local.get $at)))
          (local.set $zi (v128.load32_splat offset=8 (local.get $at)))
          (local.set $start
            (i32.add
              (local.get $result.value)
              (i32.mul
                (i32.add (i32.mul (local.get $row) (local.get $columns)) (local.get $sourceFirst))
                (i32.const 4))))
          (local.set $whole
            (i32.sub (local.get $sourceCount) (i32.rem_u (local.get $sourceCount) (i32.const 16))))
          (if (i32.lt_u (local.tee $column (i32.const 0)) (local.get $whole))
            (then
              (loop
                (local.set $there (i32.add (local.get $start) (i32.mul (local.get $column) (i32.const 4))))
                (local.set $register (i32.div_u (local.get $column) (i32.const 4)))
                (local.set $xj
                  (v128.load
                    (local.tee $at.1
                      (i32.add (local.get $sources) (i32.mul (local.get $register) (i32.const 48))))))
                (local.set $yj (v128.load offset=16 (local.get $at.1)))
                (local.set $zj (v128.load offset=32 (local.get $at.1)))
                (local.set $dx0 (f32x4.sub (local.get $xj) (local.get $xi)))
                (local.set $dy0 (f32x4.sub (local.get $yj) (local.get $yi)))
                (local.set $dz0 (f32x4.sub (local.get $zj) (local.get $zi)))
                (local.set $r20
                  (f32x4.add
                    (f32x4.add
                      (f32x4.mul (local.get $dx0) (local.get $dx0))
                      (f32x4.mul (local.get $dy0) (local.get $dy0)))
                    (f32x4.mul (local.get $dz0) (local.get $dz0))))
                (v128.store (local.get $there) (local.get $r20))
                (local.set $register.1 (i32.div_u (i32.add (local.get $column) (i32.const 4)) (i32.const 4)))
                (local.set $xj.1
                  (v128.load
                    (local.tee $at.2
                      (i32.add (local.get $sources) (i32.mul (local.get $register.1) (i32.const 48))))))
                (local.set $yj.1 (v128.load offset=16 (local.get $at.2)))
                (local.set $zj.1 (v128.load offset=32 (local.get $at.2)))
                (local.set $dx1 (f32x4.sub (local.get $xj.1) (local.get $xi)))
                (local.set $dy1 (f32x4.sub (local.get $yj.1) (local.get $yi)))
                (local.set $dz1 (f32x4.sub (local.get $zj.1) (local.get $zi)))
                (local.set $r21
                  (f32x4.add
                    (f32x4.add
                      (f32x4.mul (local.get $dx1) (local.get $dx1))
                      (f32x4.mul (local.get $dy1) (local.get $dy1)))
                    (f32x4.mul (local.get $dz1) (local.get $dz1))))
                (v128.store offset=16 (local.get $there) (local.get $r21))
                (local.set $register.2 (i32.div_u (i32.add (local.get $column) (i32.const 8)) (i32.const 4)))
                (local.set $xj.2
                  (v128.load
                    (local.tee $at.3
                      (i32.add (local.get $sources) (i32.mul (local.get $register.2) (i32.const 48))))))
                (local.set $yj.2 (v128.load offset=16 (local.get $at.3)))
                (local.set $zj.2 (v128.load offset=32 (local.get $at.3)))
                (local.set $dx2 (f32x4.sub (local.get $xj.2) (local.get $xi)))
                (local.set $dy2 (f32x4.sub (local.get $yj.2) (local.get $yi)))
                (local.set $dz2 (f32x4.sub (local.get $zj.2) (local.get $zi)))
                (local.set $r22
                  (f32x4.add
                    (f32x4.add
                      (f32x4.mul (local.get $dx2) (local.get $dx2))
                      (f32x4.mul (local.get $dy2) (local.get $dy2)))
                    (f32x4.mul (local.get $dz2) (local.get $dz2))))
                (v128.store offset=32 (local.get $there) (local.get $r22))
                (local.set $register.3 (i32.div_u (i32.add (local.get $column) (i32.const 12)) (i32.const 4)))
                (local.set $xj.3
                  (v128.load
                    (local.tee $at.4
                      (i32.add (local.get $sources) (i32.mul (local.get $register.3) (i32.const 48))))))
                (local.set $yj.3 (v128.load offset=16 (local.get $at.4)))
                (local.set $zj.3 (v128.load offset=32 (local.get $at.4)))
                (local.set $dx3 (f32x4.sub (local.get $xj.3) (local.get $xi)))
                (local.set $dy3 (f32x4.sub (local.get $yj.3) (local.get $yi)))
                (local.set $dz3 (f32x4.sub (local.get $zj.3) (local.get $zi)))
                (local.set $r23
                  (f32x4.add
                    (f32x4.add
                      (f32x4.mul (local.get $dx3) (local.get $dx3))
                      (f32x4.mul (local.get $dy3) (local.get $dy3)))
                    (f32x4.mul (local.get $dz3) (local.get $dz3))))
                (v128.store offset=48 (local.get $there) (local.get $r23))
                (br_if 0 (i32.lt_u (local.tee $column (i32.add (local.get $column) (i32.const 16))) (local.get $whole))))))
          (if (i32.lt_u (local.tee $column.1 (local.get $whole)) (local.get $sourceCount))
            (then
              (loop
                (local.set $there.1
                  (i32.add (local.get $start) (i32.mul (local.get $column.1) (i32.const 4))))
                (local.set $register.4 (i32.div_u (local.get $column.1) (i32.const 4)))
                (local.set $xj.4
                  (v128.load
                    (local.tee $at.5
                      (i32.add (local.get $sources) (i32.mul (local.get $register.4) (i32.const 48))))))
                (local.set $yj.4 (v128.load offset=16 (local.get $at.5)))
                (local.set $zj.4 (v128.load offset=32 (local.get $at.5)))
                (local.set $dx0.1 (f32x4.sub (local.get $xj.4) (local.get $xi)))
                (local.set $dy0.1 (f32x4.sub (local.get $yj.4) (local.get $yi)))
                (local.set $dz0.1 (f32x4.sub (local.get $zj.4) (local.get $zi)))
                (local.set $r20.1
                  (f32x4.add
                    (f32x4.add
                      (f32x4.mul (local.get $dx0.1) (local.get $dx0.1))
                      (f32x4.mul (local.get $dy0.1) (local.get $dy0.1)))
                    (f32x4.mul (local.get $dz0.1) (local.get $dz0.1))))
                (if (i32.ge_s
                    (local.tee $remaining (i32.sub (local.get $sourceCount) (local.get $column.1)))
                    (i32.const 4))
                  (then
                    (v128.store32_lane 0 (local.get $there.1) (local.get $r20.1))
                    (v128.store32_lane offset=4 1 (local.get $there.1) (local.get $r20.1))
                    (v128.store32_lane offset=8 2 (local.get $there.1) (local.get $r20.1))
                    (v128.store32_lane offset=12 3 (local.get $there.1) (local.get $r20.1)))
                  (else
                    (if (i32.gt_s (local.get $remaining) (i32.const 0))
                      (then
                        (v128.store32_lane 0 (local.get $there.1) (local.get $r20.1))))
                    (if (i32.gt_s (local.get $remaining) (i32.const 1))
                      (then
                        (v128.store32_lane offset=4 1 (local.get $there.1) (local.get $r20.1))))
                    (if (i32.gt_s (local.get $remaining) (i32.const 2))
                      (then
                        (v128.store32_lane offset=8 2 (local.get $there.1) (local.get $r20.1))))))
                (br_if 0 (i32.lt_u
                  (local.tee $column.1 (i32.add (local.get $column.1) (i32.const 4)))
                  (local.get $sourceCount))))))
          (if (i32.lt_u
              (local.tee $j
                (i32.sub (i32.add (local.get $targetFirst) (local.get $row)) (local.get $sourceFirst)))
              (local.get $sourceCount))
            (then
              (f32.store (i32.add (local.get $start) (i32.mul (local.get $j) (i32.const 4))) (f32.const 0))))
          (br_if 0 (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 1))) (local.get $last))))))))
