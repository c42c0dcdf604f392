(module
  (import "env" "memory" (memory 0))
  ;; Prepares the targets for the loop over pairs.
  (func $targets (export "targets") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $at i32)
    (local $n i32)
    (local $at.1 i32)
    (local $target.position i32)
    (local $targets i32)
    (local $start i32)
    (local $c0 v128)
    (local $xi v128)
    (local $yi v128)
    (local $zi v128)
    (local $p0 v128)
    (local $p1 v128)
    (local.set $c0 (v128.const i32x4 0 0 0 0))
    (local.set $p0 (v128.load32_splat (local.get $block)))
    (local.set $p1 (v128.load32_splat offset=8 (local.get $block)))
    (local.set $target.position (i32.load offset=16 (local.get $block)))
    (local.set $targets (i32.load offset=24 (local.get $block)))
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
          (v128.store
            (local.tee $at.1 (i32.add (local.get $targets) (i32.mul (local.get $n) (i32.const 48))))
            (local.get $xi))
          (v128.store offset=16 (local.get $at.1) (local.get $yi))
          (v128.store offset=32 (local.get $at.1) (local.get $zi))
          (br_if 0 (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (local.get $last)))))))
  ;; Prepares the sources for the loop over pairs.
  (func $sources (export "sources") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $at.2 i32)
    (local $at i32)
    (local $n i32)
    (local $start i32)
    (local $source.position i32)
    (local $source.mass i32)
    (local $sources i32)
    (local $xj v128)
    (local $yj v128)
    (local $zj v128)
    (local $s0 v128)
    (local $c0 v128)
    (local $p0 v128)
    (local $mass v128)
    (local $p1 v128)
    (local.set $c0 (v128.const i32x4 0 0 0 0))
    (local.set $p0 (v128.load32_splat (local.get $block)))
    (local.set $p1 (v128.load32_splat offset=8 (local.get $block)))
    (local.set $source.position (i32.load offset=32 (local.get $block)))
    (local.set $source.mass (i32.load offset=40 (local.get $block)))
    (local.set $sources (i32.load offset=48 (local.get $block)))
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
          (local.set $mass
            (v128.load (i32.add (local.get $source.mass) (i32.mul (local.get $start) (i32.const 4)))))
          (local.set $s0 (f32x4.mul (local.get $p0) (local.get $mass)))
          (v128.store32_lane 0
            (local.tee $at.2 (i32.add (local.get $sources) (i32.mul (local.get $start) (i32.const 16))))
            (local.get $xj))
          (v128.store32_lane offset=16 1 (local.get $at.2) (local.get $xj))
          (v128.store32_lane offset=32 2 (local.get $at.2) (local.get $xj))
          (v128.store32_lane offset=48 3 (local.get $at.2) (local.get $xj))
          (v128.store32_lane offset=4 0 (local.get $at.2) (local.get $yj))
          (v128.store32_lane offset=20 1 (local.get $at.2) (local.get $yj))
          (v128.store32_lane offset=36 2 (local.get $at.2) (local.get $yj))
          (v128.store32_lane offset=52 3 (local.get $at.2) (local.get $yj))
          (v128.store32_lane offset=8 0 (local.get $at.2) (local.get $zj))
          (v128.store32_lane offset=24 1 (local.get $at.2) (local.get $zj))
          (v128.store32_lane offset=40 2 (local.get $at.2) (local.get $zj))
          (v128.store32_lane offset=56 3 (local.get $at.2) (local.get $zj))
          (v128.store32_lane offset=12 0 (local.get $at.2) (local.get $s0))
          (v128.store32_lane offset=28 1 (local.get $at.2) (local.get $s0))
          (v128.store32_lane offset=44 2 (local.get $at.2) (local.get $s0))
          (v128.store32_lane offset=60 3 (local.get $at.2) (local.get $s0))
          (br_if 0 (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (local.get $last)))))))
  ;; Folds the sources of a tile into some targets.
  (func $tile (export "tile") (param $block i32) (param $target i32) (param $state i32) (param $source i32) (param $end i32) (param $index i32) (param $scratch i32)
    (local $total v128)
    (local $total.1 v128)
    (local $total.2 v128)
    (local $c0 v128)
    (local $dx0 v128)
    (local $dy0 v128)
    (local $dz0 v128)
    (local $coefficient v128)
    (local $e00 v128)
    (local $p1 v128)
    (local $xi0 v128)
    (local $yi0 v128)
    (local $zi0 v128)
    (local $xj v128)
    (local $yj v128)
    (local $zj v128)
    (local $s0 v128)
    (local $p0 v128)
    (local.set $c0 (v128.const f32x4 0 0 0 0))
    (local.set $p0 (v128.load32_splat (local.get $block)))
    (local.set $p1 (v128.load32_splat offset=8 (local.get $block)))
    (local.set $xi0 (v128.load (local.get $target)))
    (local.set $yi0 (v128.load offset=16 (local.get $target)))
    (local.set $zi0 (v128.load offset=32 (local.get $target)))
    (local.set $total (local.get $c0))
    (local.set $total.1 (local.get $c0))
    (local.set $total.2 (local.get $c0))
    (loop
      (local.set $xj (v128.load32_splat (local.get $source)))
      (local.set $yj (v128.load32_splat offset=4 (local.get $source)))
      (local.set $zj (v128.load32_splat offset=8 (local.get $source)))
      (local.set $s0 (v128.load32_splat offset=12 (local.get $source)))
      (local.set $dx0 (f32x4.sub (local.get $xj) (local.get $xi0)))
      (local.set $dy0 (f32x4.sub (local.get $yj) (local.get $yi0)))
      (local.set $dz0 (f32x4.sub (local.get $zj) (local.get $zi0)))
      (local.set $e00
        (f32x4.add
          (f32x4.add
            (f32x4.add (local.get $p1) (f32x4.mul (local.get $dx0) (local.get $dx0)))
            (f32x4.mul (local.get $dy0) (local.get $dy0)))
          (f32x4.mul (local.get $dz0) (local.get $dz0))))
      (local.set $coefficient
        (f32x4.div (local.get $s0) (f32x4.mul (local.get $e00) (f32x4.sqrt (local.get $e00)))))
      (local.set $total (f32x4.add (local.get $total) (f32x4.mul (local.get $coefficient) (local.get $dx0))))
      (local.set $total.1
        (f32x4.add (local.get $total.1) (f32x4.mul (local.get $coefficient) (local.get $dy0))))
      (local.set $total.2
        (f32x4.add (local.get $total.2) (f32x4.mul (local.get $coefficient) (local.get $dz0))))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (br_if 0 (i32.lt_u (local.tee $source (i32.add (local.get $source) (i32.const 16))) (local.get $end))))
    (v128.store
      (local.get $state)
      (f64x2.add (v128.load (local.get $state)) (f64x2.promote_low_f32x4 (local.get $total))))
    (v128.store offset=16
      (local.get $state)
      (f64x2.add
        (v128.load offset=16 (local.get $state))
        (f64x2.promote_low_f32x4
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $total) (local.get $total)))))
    (v128.store offset=32
      (local.get $state)
      (f64x2.add (v128.load offset=32 (local.get $state)) (f64x2.promote_low_f32x4 (local.get $total.1))))
    (v128.store offset=48
      (local.get $state)
      (f64x2.add
        (v128.load offset=48 (local.get $state))
        (f64x2.promote_low_f32x4
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $total.1) (local.get $total.1)))))
    (v128.store offset=64
      (local.get $state)
      (f64x2.add (v128.load offset=64 (local.get $state)) (f64x2.promote_low_f32x4 (local.get $total.2))))
    (v128.store offset=80
      (local.get $state)
      (f64x2.add
        (v128.load offset=80 (local.get $state))
        (f64x2.promote_low_f32x4
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $total.2) (local.get $total.2))))))
  ;; Meets some targets with sources, tile by tile.
  (func $pairs (export "pairs") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $at i32)
    (local $state i32)
    (local $state.2 i32)
    (local $tile i32)
    (local $unit i32)
    (local $unit.1 i32)
    (local $unit.2 i32)
    (local $remaining.1 i32)
    (local $sourceCount i32)
    (local $merge i32)
    (local $targetCount i32)
    (local $target.1 i32)
    (local $targets i32)
    (local $sources i32)
    (local $sourceFirst i32)
    (local $result.acceleration i32)
    (local $target i32)
    (local $left i32)
    (local $inTile i32)
    (local $from i32)
    (local $to i32)
    (local $state.1 i32)
    (local $targets.1 i32)
    (local $remaining i32)
    (local $acceleration v128)
    (local $acceleration.1 v128)
    (local $acceleration.2 v128)
    (local $c0 v128)
    (local $c1 v128)
    (local.set $c0 (v128.const f64x2 0 0))
    (local.set $c1 (v128.const i32x4 0 0 0 0))
    (local.set $targets (i32.load offset=24 (local.get $block)))
    (local.set $sources (i32.load offset=48 (local.get $block)))
    (local.set $sourceCount (i32.load offset=56 (local.get $block)))
    (local.set $sourceFirst (i32.load offset=64 (local.get $block)))
    (local.set $result.acceleration (i32.load offset=72 (local.get $block)))
    (local.set $merge (i32.load offset=80 (local.get $block)))
    (local.set $targetCount (i32.load offset=88 (local.get $block)))
    (local.set $targets.1 (i32.load offset=24 (local.get $block)))
    (if (i32.lt_u (local.tee $unit (local.get $first)) (local.get $last))
      (then
        (loop
          (local.set $state
            (i32.add
              (local.get $scratch)
              (i32.mul (i32.sub (local.get $unit) (local.get $first)) (i32.const 96))))
          (local.set $target (i32.mul (local.get $unit) (i32.const 4)))
          (local.set $remaining (i32.sub (local.get $targetCount) (local.get $target)))
          (v128.store (local.get $state) (local.get $c0))
          (v128.store offset=16 (local.get $state) (local.get $c0))
          (v128.store offset=32 (local.get $state) (local.get $c0))
          (v128.store offset=48 (local.get $state) (local.get $c0))
          (v128.store offset=64 (local.get $state) (local.get $c0))
          (v128.store offset=80 (local.get $state) (local.get $c0))
          (br_if 0 (i32.lt_u (local.tee $unit (i32.add (local.get $unit) (i32.const 1))) (local.get $last))))))
    (if (i32.lt_u (local.tee $tile (i32.const 0)) (local.get $sourceCount))
      (then
        (loop
          (local.set $inTile
            (select
              (local.tee $left (i32.sub (local.get $sourceCount) (local.get $tile)))
              (i32.const 256)
              (i32.lt_u (local.get $left) (i32.const 256))))
          (local.set $to
            (i32.add
              (local.tee $from (i32.add (local.get $sources) (i32.mul (local.get $tile) (i32.const 16))))
              (i32.mul (local.get $inTile) (i32.const 16))))
          (if (i32.lt_u (local.tee $unit.1 (local.get $first)) (local.get $last))
            (then
              (loop
                (local.set $state.1
                  (i32.add
                    (local.get $scratch)
                    (i32.mul (i32.sub (local.get $unit.1) (local.get $first)) (i32.const 96))))
                (call $tile
                  (local.get $block)
                  (i32.add (local.get $targets) (i32.mul (local.get $unit.1) (i32.const 48)))
                  (local.get $state.1)
                  (local.get $from)
                  (local.get $to)
                  (i32.add (local.get $sourceFirst) (local.get $tile))
                  (i32.add (local.get $scratch) (i32.const 3072)))
                (br_if 0 (i32.lt_u (local.tee $unit.1 (i32.add (local.get $unit.1) (i32.const 1))) (local.get $last))))))
          (br_if 0 (i32.lt_u (local.tee $tile (i32.add (local.get $tile) (i32.const 256))) (local.get $sourceCount))))))
    (if (i32.lt_u (local.tee $unit.2 (local.get $first)) (local.get $last))
      (then
        (loop
          (local.set $state.2
            (i32.add
              (local.get $scratch)
              (i32.mul (i32.sub (local.get $unit.2) (local.get $first)) (i32.const 96))))
          (local.set $target.1 (i32.mul (local.get $unit.2) (i32.const 4)))
          (local.set $remaining.1 (i32.sub (local.get $targetCount) (local.get $target.1)))
          (local.set $at
            (i32.add (local.get $result.acceleration) (i32.mul (local.get $target.1) (i32.const 12))))
          (local.set $acceleration
            (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
              (f32x4.demote_f64x2_zero (v128.load (local.get $state.2)))
              (f32x4.demote_f64x2_zero (v128.load offset=16 (local.get $state.2)))))
          (if (local.get $merge)
            (then
              (local.set $acceleration
                (f32x4.add
                  (local.get $acceleration)
                  (v128.load32_lane offset=36 3
                    (local.get $at)
                    (v128.load32_lane offset=24 2
                      (local.get $at)
                      (v128.load32_lane offset=12 1
                        (local.get $at)
                        (v128.load32_lane 0 (local.get $at) (local.get $c1)))))))))
          (local.set $acceleration.1
            (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
              (f32x4.demote_f64x2_zero (v128.load offset=32 (local.get $state.2)))
              (f32x4.demote_f64x2_zero (v128.load offset=48 (local.get $state.2)))))
          (if (local.get $merge)
            (then
              (local.set $acceleration.1
                (f32x4.add
                  (local.get $acceleration.1)
                  (v128.load32_lane offset=40 3
                    (local.get $at)
                    (v128.load32_lane offset=28 2
                      (local.get $at)
                      (v128.load32_lane offset=16 1
                        (local.get $at)
                        (v128.load32_lane offset=4 0 (local.get $at) (local.get $c1)))))))))
          (local.set $acceleration.2
            (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
              (f32x4.demote_f64x2_zero (v128.load offset=64 (local.get $state.2)))
              (f32x4.demote_f64x2_zero (v128.load offset=80 (local.get $state.2)))))
          (if (local.get $merge)
            (then
              (local.set $acceleration.2
                (f32x4.add
                  (local.get $acceleration.2)
                  (v128.load32_lane offset=44 3
                    (local.get $at)
                    (v128.load32_lane offset=32 2
                      (local.get $at)
                      (v128.load32_lane offset=20 1
                        (local.get $at)
                        (v128.load32_lane offset=8 0 (local.get $at) (local.get $c1)))))))))
          (if (i32.ge_s (local.get $remaining.1) (i32.const 4))
            (then
              (v128.store32_lane 0 (local.get $at) (local.get $acceleration))
              (v128.store32_lane offset=12 1 (local.get $at) (local.get $acceleration))
              (v128.store32_lane offset=24 2 (local.get $at) (local.get $acceleration))
              (v128.store32_lane offset=36 3 (local.get $at) (local.get $acceleration))
              (v128.store32_lane offset=4 0 (local.get $at) (local.get $acceleration.1))
              (v128.store32_lane offset=16 1 (local.get $at) (local.get $acceleration.1))
              (v128.store32_lane offset=28 2 (local.get $at) (local.get $acceleration.1))
              (v128.store32_lane offset=40 3 (local.get $at) (local.get $acceleration.1))
              (v128.store32_lane offset=8 0 (local.get $at) (local.get $acceleration.2))
              (v128.store32_lane offset=20 1 (local.get $at) (local.get $acceleration.2))
              (v128.store32_lane offset=32 2 (local.get $at) (local.get $acceleration.2))
              (v128.store32_lane offset=44 3 (local.get $at) (local.get $acceleration.2)))
            (else
              (if (i32.gt_s (local.get $remaining.1) (i32.const 0))
                (then
                  (v128.store32_lane 0 (local.get $at) (local.get $acceleration))
                  (v128.store32_lane offset=4 0 (local.get $at) (local.get $acceleration.1))
                  (v128.store32_lane offset=8 0 (local.get $at) (local.get $acceleration.2))))
              (if (i32.gt_s (local.get $remaining.1) (i32.const 1))
                (then
                  (v128.store32_lane offset=12 1 (local.get $at) (local.get $acceleration))
                  (v128.store32_lane offset=16 1 (local.get $at) (local.get $acceleration.1))
                  (v128.store32_lane offset=20 1 (local.get $at) (local.get $acceleration.2))))
              (if (i32.gt_s (local.get $remaining.1) (i32.const 2))
                (then
                  (v128.store32_lane offset=24 2 (local.get $at) (local.get $acceleration))
                  (v128.store32_lane offset=28 2 (local.get $at) (local.get $acceleration.1))
                  (v128.store32_lane offset=32 2 (local.get $at) (local.get $acceleration.2))))))
          (br_if 0 (i32.lt_u (local.tee $unit.2 (i32.add (local.get $unit.2) (i32.const 1))) (local.get $last))))))))
