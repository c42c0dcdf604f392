(module
  (import "env" "memory" (memory 0))
  ;; Prepares the targets for the loop over pairs.
  (func $targets (export "targets") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $at i32)
    (local $n i32)
    (local $at.2 i32)
    (local $start i32)
    (local $target.position i32)
    (local $target.mass i32)
    (local $targets i32)
    (local $c0 v128)
    (local $mass v128)
    (local $p2 v128)
    (local $xi v128)
    (local $yi v128)
    (local $zi v128)
    (local $t1 v128)
    (local $p0 v128)
    (local $p1 v128)
    (local.set $c0 (v128.const i32x4 0 0 0 0))
    (local.set $p0 (v128.load32_splat (local.get $block)))
    (local.set $p1 (v128.load32_splat offset=8 (local.get $block)))
    (local.set $p2 (v128.load32_splat offset=16 (local.get $block)))
    (local.set $target.position (i32.load offset=24 (local.get $block)))
    (local.set $target.mass (i32.load offset=32 (local.get $block)))
    (local.set $targets (i32.load offset=40 (local.get $block)))
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
          (local.set $mass
            (v128.load (i32.add (local.get $target.mass) (i32.mul (local.get $start) (i32.const 4)))))
          (local.set $t1 (f32x4.div (local.get $p2) (local.get $mass)))
          (v128.store
            (local.tee $at.2 (i32.add (local.get $targets) (i32.mul (local.get $n) (i32.const 80))))
            (local.get $xi))
          (v128.store offset=16 (local.get $at.2) (local.get $yi))
          (v128.store offset=32 (local.get $at.2) (local.get $zi))
          (v128.store offset=48 (local.get $at.2) (local.get $mass))
          (v128.store offset=64 (local.get $at.2) (local.get $t1))
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
    (local $p2 v128)
    (local.set $c0 (v128.const i32x4 0 0 0 0))
    (local.set $p0 (v128.load32_splat (local.get $block)))
    (local.set $p1 (v128.load32_splat offset=8 (local.get $block)))
    (local.set $p2 (v128.load32_splat offset=16 (local.get $block)))
    (local.set $source.position (i32.load offset=48 (local.get $block)))
    (local.set $source.mass (i32.load offset=56 (local.get $block)))
    (local.set $sources (i32.load offset=64 (local.get $block)))
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
    (local $e10 v128)
    (local $e00 v128)
    (local $p1 v128)
    (local $xi0 v128)
    (local $yi0 v128)
    (local $zi0 v128)
    (local $t00 v128)
    (local $xj v128)
    (local $yj v128)
    (local $zj v128)
    (local $s0 v128)
    (local $p0 v128)
    (local $p2 v128)
    (local $t10 v128)
    (local.set $c0 (v128.const f32x4 0 0 0 0))
    (local.set $p0 (v128.load32_splat (local.get $block)))
    (local.set $p1 (v128.load32_splat offset=8 (local.get $block)))
    (local.set $p2 (v128.load32_splat offset=16 (local.get $block)))
    (local.set $xi0 (v128.load (local.get $target)))
    (local.set $yi0 (v128.load offset=16 (local.get $target)))
    (local.set $zi0 (v128.load offset=32 (local.get $target)))
    (local.set $t00 (v128.load offset=48 (local.get $target)))
    (local.set $t10 (v128.load offset=64 (local.get $target)))
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
      (local.set $e10
        (f32x4.div
          (f32x4.mul (local.get $s0) (local.get $t00))
          (f32x4.mul (local.get $e00) (f32x4.sqrt (local.get $e00)))))
      (local.set $total (f32x4.add (local.get $total) (f32x4.mul (local.get $e10) (local.get $dx0))))
      (local.set $total.1 (f32x4.add (local.get $total.1) (f32x4.mul (local.get $e10) (local.get $dy0))))
      (local.set $total.2 (f32x4.add (local.get $total.2) (f32x4.mul (local.get $e10) (local.get $dz0))))
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
  ;; Meets some targets with the sources of a tile; both receive the terms.
  (func $both (export "both") (param $block i32) (param $target i32) (param $state i32) (param $source i32) (param $end i32) (param $reaction i32) (param $scratch i32)
    (local $total v128)
    (local $total.1 v128)
    (local $total.2 v128)
    (local $c0 v128)
    (local $dx0 v128)
    (local $dy0 v128)
    (local $dz0 v128)
    (local $e00 v128)
    (local $e10 v128)
    (local $term v128)
    (local $term.1 v128)
    (local $term.2 v128)
    (local $p1 v128)
    (local $xi0 v128)
    (local $yi0 v128)
    (local $zi0 v128)
    (local $t00 v128)
    (local $xj v128)
    (local $yj v128)
    (local $zj v128)
    (local $s0 v128)
    (local $sum v128)
    (local $sum.1 v128)
    (local $sum.2 v128)
    (local $p0 v128)
    (local $p2 v128)
    (local $t10 v128)
    (local.set $c0 (v128.const f32x4 0 0 0 0))
    (local.set $p0 (v128.load32_splat (local.get $block)))
    (local.set $p1 (v128.load32_splat offset=8 (local.get $block)))
    (local.set $p2 (v128.load32_splat offset=16 (local.get $block)))
    (local.set $xi0 (v128.load (local.get $target)))
    (local.set $yi0 (v128.load offset=16 (local.get $target)))
    (local.set $zi0 (v128.load offset=32 (local.get $target)))
    (local.set $t00 (v128.load offset=48 (local.get $target)))
    (local.set $t10 (v128.load offset=64 (local.get $target)))
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
      (local.set $term
        (f32x4.mul
          (local.tee $e10
            (f32x4.div
              (f32x4.mul (local.get $s0) (local.get $t00))
              (f32x4.mul (local.get $e00) (f32x4.sqrt (local.get $e00)))))
          (local.get $dx0)))
      (local.set $term.1 (f32x4.mul (local.get $e10) (local.get $dy0)))
      (local.set $term.2 (f32x4.mul (local.get $e10) (local.get $dz0)))
      (local.set $total (f32x4.add (local.get $total) (local.get $term)))
      (local.set $total.1 (f32x4.add (local.get $total.1) (local.get $term.1)))
      (local.set $total.2 (f32x4.add (local.get $total.2) (local.get $term.2)))
      (local.set $sum (f32x4.sub (v128.load (local.get $reaction)) (local.get $term)))
      (local.set $sum.1 (f32x4.sub (v128.load offset=16 (local.get $reaction)) (local.get $term.1)))
      (local.set $sum.2 (f32x4.sub (v128.load offset=32 (local.get $reaction)) (local.get $term.2)))
      (v128.store (local.get $reaction) (local.get $sum))
      (v128.store offset=16 (local.get $reaction) (local.get $sum.1))
      (v128.store offset=32 (local.get $reaction) (local.get $sum.2))
      (local.set $reaction (i32.add (local.get $reaction) (i32.const 48)))
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
  ;; Adds what each source of a tile received to its totals.
  (func $join (export "join") (param $state i32) (param $reaction i32) (param $count i32)
    (local $from i32)
    (local $to i32)
    (local $n i32)
    (local $nEnd i32)
    (local $folded.2 v128)
    (local $folded.5 v128)
    (local $folded.8 v128)
    (local $received v128)
    (local $received.1 v128)
    (local $received.2 v128)
    (local $received.3 v128)
    (local $folded v128)
    (local $folded.1 v128)
    (local $received.4 v128)
    (local $received.5 v128)
    (local $received.6 v128)
    (local $received.7 v128)
    (local $folded.3 v128)
    (local $folded.4 v128)
    (local $received.8 v128)
    (local $received.9 v128)
    (local $received.10 v128)
    (local $received.11 v128)
    (local $folded.6 v128)
    (local $folded.7 v128)
    (local.set $nEnd (i32.div_u (i32.add (local.get $count) (i32.const 3)) (i32.const 4)))
    (if (i32.lt_u (local.tee $n (i32.const 0)) (local.get $nEnd))
      (then
        (loop
          (local.set $from (i32.add (local.get $reaction) (i32.mul (local.get $n) (i32.const 192))))
          (local.set $to (i32.add (local.get $state) (i32.mul (local.get $n) (i32.const 96))))
          (local.set $received (v128.load (local.get $from)))
          (local.set $received.1 (v128.load offset=48 (local.get $from)))
          (local.set $received.2 (v128.load offset=96 (local.get $from)))
          (local.set $received.3 (v128.load offset=144 (local.get $from)))
          (local.set $folded
            (f32x4.add
              (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
                (local.get $received)
                (local.get $received.1))
              (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
                (local.get $received)
                (local.get $received.1))))
          (local.set $folded.1
            (f32x4.add
              (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
                (local.get $received.2)
                (local.get $received.3))
              (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
                (local.get $received.2)
                (local.get $received.3))))
          (local.set $folded.2
            (f32x4.add
              (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                (local.get $folded)
                (local.get $folded.1))
              (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                (local.get $folded)
                (local.get $folded.1))))
          (v128.store
            (local.get $to)
            (f64x2.add (v128.load (local.get $to)) (f64x2.promote_low_f32x4 (local.get $folded.2))))
          (v128.store offset=16
            (local.get $to)
            (f64x2.add
              (v128.load offset=16 (local.get $to))
              (f64x2.promote_low_f32x4
                (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7
                  (local.get $folded.2)
                  (local.get $folded.2)))))
          (local.set $received.4 (v128.load offset=16 (local.get $from)))
          (local.set $received.5 (v128.load offset=64 (local.get $from)))
          (local.set $received.6 (v128.load offset=112 (local.get $from)))
          (local.set $received.7 (v128.load offset=160 (local.get $from)))
          (local.set $folded.3
            (f32x4.add
              (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
                (local.get $received.4)
                (local.get $received.5))
              (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
                (local.get $received.4)
                (local.get $received.5))))
          (local.set $folded.4
            (f32x4.add
              (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
                (local.get $received.6)
                (local.get $received.7))
              (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
                (local.get $received.6)
                (local.get $received.7))))
          (local.set $folded.5
            (f32x4.add
              (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                (local.get $folded.3)
                (local.get $folded.4))
              (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                (local.get $folded.3)
                (local.get $folded.4))))
          (v128.store offset=32
            (local.get $to)
            (f64x2.add (v128.load offset=32 (local.get $to)) (f64x2.promote_low_f32x4 (local.get $folded.5))))
          (v128.store offset=48
            (local.get $to)
            (f64x2.add
              (v128.load offset=48 (local.get $to))
              (f64x2.promote_low_f32x4
                (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7
                  (local.get $folded.5)
                  (local.get $folded.5)))))
          (local.set $received.8 (v128.load offset=32 (local.get $from)))
          (local.set $received.9 (v128.load offset=80 (local.get $from)))
          (local.set $received.10 (v128.load offset=128 (local.get $from)))
          (local.set $received.11 (v128.load offset=176 (local.get $from)))
          (local.set $folded.6
            (f32x4.add
              (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
                (local.get $received.8)
                (local.get $received.9))
              (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
                (local.get $received.8)
                (local.get $received.9))))
          (local.set $folded.7
            (f32x4.add
              (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
                (local.get $received.10)
                (local.get $received.11))
              (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
                (local.get $received.10)
                (local.get $received.11))))
          (local.set $folded.8
            (f32x4.add
              (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                (local.get $folded.6)
                (local.get $folded.7))
              (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
                (local.get $folded.6)
                (local.get $folded.7))))
          (v128.store offset=64
            (local.get $to)
            (f64x2.add (v128.load offset=64 (local.get $to)) (f64x2.promote_low_f32x4 (local.get $folded.8))))
          (v128.store offset=80
            (local.get $to)
            (f64x2.add
              (v128.load offset=80 (local.get $to))
              (f64x2.promote_low_f32x4
                (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7
                  (local.get $folded.8)
                  (local.get $folded.8)))))
          (br_if 0 (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (local.get $nEnd)))))))
  ;; Sets the totals of threads to 0.
  (func $clear (export "clear") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $part i32)
    (local $totalBytes i32)
    (local $totals i32)
    (local.set $totals (i32.load offset=72 (local.get $block)))
    (local.set $totalBytes (i32.load offset=80 (local.get $block)))
    (if (i32.lt_u (local.tee $part (local.get $first)) (local.get $last))
      (then
        (loop
          (memory.fill
            (i32.add (local.get $totals) (i32.mul (local.get $part) (local.get $totalBytes)))
            (i32.const 0)
            (local.get $totalBytes))
          (br_if 0 (i32.lt_u (local.tee $part (i32.add (local.get $part) (i32.const 1))) (local.get $last)))))))
  ;; Meets some targets with sources, tile by tile.
  (func $pairs (export "pairs") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $pair i32)
    (local $end i32)
    (local $unit i32)
    (local $unit.1 i32)
    (local $from i32)
    (local $sourceCount i32)
    (local $sums i32)
    (local $ofNth i32)
    (local $here i32)
    (local $inBlock i32)
    (local $point i32)
    (local $after i32)
    (local $targets i32)
    (local $sources i32)
    (local $blocks i32)
    (local $meetings i32)
    (local $nth i32)
    (local $met i32)
    (local $early i32)
    (local $left i32)
    (local $unitEnd i32)
    (local $target i32)
    (local $state i32)
    (local $unitEnd.1 i32)
    (local $totals i32)
    (local $totalBytes i32)
    (local $partPairs i32)
    (local $there i32)
    (local $start i32)
    (local $unitFrom i32)
    (local $own i32)
    (local $ownEnd i32)
    (local $unitFrom.1 i32)
    (local $target.1 i32)
    (local $state.1 i32)
    (local.set $targets (i32.load offset=40 (local.get $block)))
    (local.set $sources (i32.load offset=64 (local.get $block)))
    (local.set $sourceCount (i32.load offset=88 (local.get $block)))
    (local.set $blocks (i32.load offset=96 (local.get $block)))
    (local.set $totals (i32.load offset=72 (local.get $block)))
    (local.set $totalBytes (i32.load offset=80 (local.get $block)))
    (local.set $partPairs (i32.load offset=104 (local.get $block)))
    (local.set $meetings (i32.add (local.get $blocks) (i32.const 1)))
    (if (i32.lt_u (local.tee $pair (local.get $first)) (local.get $last))
      (then
        (loop
          (local.set $sums
            (i32.add
              (local.get $totals)
              (i32.mul (i32.div_u (local.get $pair) (local.get $partPairs)) (local.get $totalBytes))))
          (local.set $nth (i32.div_u (local.get $pair) (local.get $meetings)))
          (local.set $met (i32.rem_u (local.get $pair) (local.get $meetings)))
          (local.set $ofNth (i32.sub (local.get $blocks) (local.get $nth)))
          (local.set $early (i32.lt_u (local.get $met) (local.get $ofNth)))
          (local.set $from
            (i32.mul
              (local.tee $there
                (i32.add
                  (local.tee $here
                    (select (local.get $nth) (i32.sub (local.get $ofNth) (i32.const 1)) (local.get $early)))
                  (i32.sub (local.get $met) (select (i32.const 0) (local.get $ofNth) (local.get $early)))))
              (i32.const 256)))
          (local.set $left (i32.sub (local.get $sourceCount) (local.get $from)))
          (local.set $inBlock
            (select (i32.const 256) (local.get $left) (i32.lt_u (i32.const 256) (local.get $left))))
          (local.set $end
            (i32.add
              (local.tee $start (i32.add (local.get $sources) (i32.mul (local.get $from) (i32.const 16))))
              (i32.mul (local.get $inBlock) (i32.const 16))))
          (memory.fill (local.get $scratch) (i32.const 0) (i32.mul (local.get $inBlock) (i32.const 48)))
          (if (i32.eq (local.get $here) (local.get $there))
            (then
              (local.set $unitEnd
                (i32.add (local.tee $unitFrom (i32.mul (local.get $here) (i32.const 64))) (i32.const 64)))
              (if (i32.lt_u (local.tee $unit (local.get $unitFrom)) (local.get $unitEnd))
                (then
                  (loop
                    (if (i32.lt_u
                        (local.tee $point (i32.mul (local.get $unit) (i32.const 4)))
                        (local.get $sourceCount))
                      (then
                        (local.set $target
                          (i32.add (local.get $targets) (i32.mul (local.get $unit) (i32.const 80))))
                        (local.set $state
                          (i32.add (local.get $sums) (i32.mul (local.get $unit) (i32.const 96))))
                        (local.set $ownEnd
                          (select
                            (local.tee $after
                              (i32.add
                                (local.tee $own
                                  (i32.add (local.get $sources) (i32.mul (local.get $point) (i32.const 16))))
                                (i32.const 64)))
                            (local.get $end)
                            (i32.lt_u (local.get $after) (local.get $end))))
                        (call $tile
                          (local.get $block)
                          (local.get $target)
                          (local.get $state)
                          (local.get $own)
                          (local.get $ownEnd)
                          (local.get $point)
                          (i32.add (local.get $scratch) (i32.const 12288)))
                        (if (i32.lt_u (local.get $after) (local.get $end))
                          (then
                            (call $both
                              (local.get $block)
                              (local.get $target)
                              (local.get $state)
                              (local.get $after)
                              (local.get $end)
                              (i32.add
                                (local.get $scratch)
                                (i32.mul
                                  (i32.sub (i32.add (local.get $point) (i32.const 4)) (local.get $from))
                                  (i32.const 48)))
                              (i32.add (local.get $scratch) (i32.const 12288)))))))
                    (br_if 0 (i32.lt_u
                      (local.tee $unit (i32.add (local.get $unit) (i32.const 1)))
                      (local.get $unitEnd)))))))
            (else
              (local.set $unitEnd.1
                (i32.add (local.tee $unitFrom.1 (i32.mul (local.get $here) (i32.const 64))) (i32.const 64)))
              (if (i32.lt_u (local.tee $unit.1 (local.get $unitFrom.1)) (local.get $unitEnd.1))
                (then
                  (loop
                    (if (i32.lt_u (i32.mul (local.get $unit.1) (i32.const 4)) (local.get $sourceCount))
                      (then
                        (local.set $target.1
                          (i32.add (local.get $targets) (i32.mul (local.get $unit.1) (i32.const 80))))
                        (local.set $state.1
                          (i32.add (local.get $sums) (i32.mul (local.get $unit.1) (i32.const 96))))
                        (call $both
                          (local.get $block)
                          (local.get $target.1)
                          (local.get $state.1)
                          (local.get $start)
                          (local.get $end)
                          (local.get $scratch)
                          (i32.add (local.get $scratch) (i32.const 12288)))))
                    (br_if 0 (i32.lt_u
                      (local.tee $unit.1 (i32.add (local.get $unit.1) (i32.const 1)))
                      (local.get $unitEnd.1))))))))
          (call $join
            (i32.add (local.get $sums) (i32.mul (local.get $from) (i32.const 24)))
            (local.get $scratch)
            (local.get $inBlock))
          (br_if 0 (i32.lt_u (local.tee $pair (i32.add (local.get $pair) (i32.const 1))) (local.get $last)))))))
  ;; Adds up the totals of all threads, and writes the results.
  (func $collect (export "collect") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $at.1 i32)
    (local $state i32)
    (local $n i32)
    (local $part i32)
    (local $remaining i32)
    (local $parts i32)
    (local $start i32)
    (local $totals i32)
    (local $totalBytes i32)
    (local $targetCount i32)
    (local $targets i32)
    (local $result.acceleration i32)
    (local $c0 v128)
    (local $out v128)
    (local $out.1 v128)
    (local $out.2 v128)
    (local $total v128)
    (local $total.1 v128)
    (local $total.2 v128)
    (local $total.3 v128)
    (local $total.4 v128)
    (local $total.5 v128)
    (local $scale v128)
    (local $p0 v128)
    (local $p1 v128)
    (local $p2 v128)
    (local.set $c0 (v128.const f64x2 0 0))
    (local.set $totals (i32.load offset=72 (local.get $block)))
    (local.set $totalBytes (i32.load offset=80 (local.get $block)))
    (local.set $parts (i32.load offset=112 (local.get $block)))
    (local.set $targetCount (i32.load offset=120 (local.get $block)))
    (local.set $targets (i32.load offset=40 (local.get $block)))
    (local.set $result.acceleration (i32.load offset=128 (local.get $block)))
    (local.set $p0 (v128.load32_splat (local.get $block)))
    (local.set $p1 (v128.load32_splat offset=8 (local.get $block)))
    (local.set $p2 (v128.load32_splat offset=16 (local.get $block)))
    (if (i32.lt_u (local.tee $n (local.get $first)) (local.get $last))
      (then
        (loop
          (local.set $start (i32.mul (local.get $n) (i32.const 4)))
          (local.set $total (local.get $c0))
          (local.set $total.1 (local.get $c0))
          (local.set $total.2 (local.get $c0))
          (local.set $total.3 (local.get $c0))
          (local.set $total.4 (local.get $c0))
          (local.set $total.5 (local.get $c0))
          (if (i32.lt_u (local.tee $part (i32.const 0)) (local.get $parts))
            (then
              (loop
                (local.set $state
                  (i32.add
                    (i32.add (local.get $totals) (i32.mul (local.get $part) (local.get $totalBytes)))
                    (i32.mul (local.get $n) (i32.const 96))))
                (local.set $total (f64x2.add (local.get $total) (v128.load (local.get $state))))
                (v128.store (local.get $state) (local.get $c0))
                (local.set $total.1 (f64x2.add (local.get $total.1) (v128.load offset=16 (local.get $state))))
                (v128.store offset=16 (local.get $state) (local.get $c0))
                (local.set $total.2 (f64x2.add (local.get $total.2) (v128.load offset=32 (local.get $state))))
                (v128.store offset=32 (local.get $state) (local.get $c0))
                (local.set $total.3 (f64x2.add (local.get $total.3) (v128.load offset=48 (local.get $state))))
                (v128.store offset=48 (local.get $state) (local.get $c0))
                (local.set $total.4 (f64x2.add (local.get $total.4) (v128.load offset=64 (local.get $state))))
                (v128.store offset=64 (local.get $state) (local.get $c0))
                (local.set $total.5 (f64x2.add (local.get $total.5) (v128.load offset=80 (local.get $state))))
                (v128.store offset=80 (local.get $state) (local.get $c0))
                (br_if 0 (i32.lt_u (local.tee $part (i32.add (local.get $part) (i32.const 1))) (local.get $parts))))))
          (local.set $scale
            (v128.load offset=64 (i32.add (local.get $targets) (i32.mul (local.get $n) (i32.const 80)))))
          (local.set $at.1
            (i32.add (local.get $result.acceleration) (i32.mul (local.get $start) (i32.const 12))))
          (local.set $out
            (f32x4.mul
              (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                (f32x4.demote_f64x2_zero (local.get $total))
                (f32x4.demote_f64x2_zero (local.get $total.1)))
              (local.get $scale)))
          (local.set $out.1
            (f32x4.mul
              (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                (f32x4.demote_f64x2_zero (local.get $total.2))
                (f32x4.demote_f64x2_zero (local.get $total.3)))
              (local.get $scale)))
          (local.set $out.2
            (f32x4.mul
              (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                (f32x4.demote_f64x2_zero (local.get $total.4))
                (f32x4.demote_f64x2_zero (local.get $total.5)))
              (local.get $scale)))
          (if (i32.ge_s
              (local.tee $remaining (i32.sub (local.get $targetCount) (local.get $start)))
              (i32.const 4))
            (then
              (v128.store32_lane 0 (local.get $at.1) (local.get $out))
              (v128.store32_lane offset=12 1 (local.get $at.1) (local.get $out))
              (v128.store32_lane offset=24 2 (local.get $at.1) (local.get $out))
              (v128.store32_lane offset=36 3 (local.get $at.1) (local.get $out))
              (v128.store32_lane offset=4 0 (local.get $at.1) (local.get $out.1))
              (v128.store32_lane offset=16 1 (local.get $at.1) (local.get $out.1))
              (v128.store32_lane offset=28 2 (local.get $at.1) (local.get $out.1))
              (v128.store32_lane offset=40 3 (local.get $at.1) (local.get $out.1))
              (v128.store32_lane offset=8 0 (local.get $at.1) (local.get $out.2))
              (v128.store32_lane offset=20 1 (local.get $at.1) (local.get $out.2))
              (v128.store32_lane offset=32 2 (local.get $at.1) (local.get $out.2))
              (v128.store32_lane offset=44 3 (local.get $at.1) (local.get $out.2)))
            (else
              (if (i32.gt_s (local.get $remaining) (i32.const 0))
                (then
                  (v128.store32_lane 0 (local.get $at.1) (local.get $out))
                  (v128.store32_lane offset=4 0 (local.get $at.1) (local.get $out.1))
                  (v128.store32_lane offset=8 0 (local.get $at.1) (local.get $out.2))))
              (if (i32.gt_s (local.get $remaining) (i32.const 1))
                (then
                  (v128.store32_lane offset=12 1 (local.get $at.1) (local.get $out))
                  (v128.store32_lane offset=16 1 (local.get $at.1) (local.get $out.1))
                  (v128.store32_lane offset=20 1 (local.get $at.1) (local.get $out.2))))
              (if (i32.gt_s (local.get $remaining) (i32.const 2))
                (then
                  (v128.store32_lane offset=24 2 (local.get $at.1) (local.get $out))
                  (v128.store32_lane offset=28 2 (local.get $at.1) (local.get $out.1))
                  (v128.store32_lane offset=32 2 (local.get $at.1) (local.get $out.2))))))
          (br_if 0 (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (local.get $last))))))))
