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
          (v128.store
            (local.tee $at.1 (i32.add (local.get $targets) (i32.mul (local.get $n) (i32.const 48))))
            (local.get $xi))
          (v128.store offset=16 (local.get $at.1) (local.get $yi))
          (v128.store offset=32 (local.get $at.1) (local.get $zi))
          (br_if 0 (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (local.get $last)))))))
  ;; Prepares the sources for the loop over pairs.
  (func $sources (export "sources") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $at i32)
    (local $at.1 i32)
    (local $n i32)
    (local $start i32)
    (local $source.position i32)
    (local $sources i32)
    (local $xj v128)
    (local $yj v128)
    (local $zj v128)
    (local $c0 v128)
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
          (v128.store32_lane 0
            (local.tee $at.1 (i32.add (local.get $sources) (i32.mul (local.get $start) (i32.const 12))))
            (local.get $xj))
          (v128.store32_lane offset=12 1 (local.get $at.1) (local.get $xj))
          (v128.store32_lane offset=24 2 (local.get $at.1) (local.get $xj))
          (v128.store32_lane offset=36 3 (local.get $at.1) (local.get $xj))
          (v128.store32_lane offset=4 0 (local.get $at.1) (local.get $yj))
          (v128.store32_lane offset=16 1 (local.get $at.1) (local.get $yj))
          (v128.store32_lane offset=28 2 (local.get $at.1) (local.get $yj))
          (v128.store32_lane offset=40 3 (local.get $at.1) (local.get $yj))
          (v128.store32_lane offset=8 0 (local.get $at.1) (local.get $zj))
          (v128.store32_lane offset=20 1 (local.get $at.1) (local.get $zj))
          (v128.store32_lane offset=32 2 (local.get $at.1) (local.get $zj))
          (v128.store32_lane offset=44 3 (local.get $at.1) (local.get $zj))
          (br_if 0 (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (local.get $last)))))))
  ;; Folds the sources of a tile into some targets.
  (func $tile (export "tile") (param $block i32) (param $target i32) (param $state i32) (param $source i32) (param $end i32) (param $index i32) (param $scratch i32)
    (local $best v128)
    (local $best.1 v128)
    (local $where v128)
    (local $where.1 v128)
    (local $xj v128)
    (local $yj v128)
    (local $zj v128)
    (local $dx0 v128)
    (local $dy0 v128)
    (local $dz0 v128)
    (local $counts v128)
    (local $dx1 v128)
    (local $dy1 v128)
    (local $dz1 v128)
    (local $counts.1 v128)
    (local $xi0 v128)
    (local $yi0 v128)
    (local $zi0 v128)
    (local $xi1 v128)
    (local $yi1 v128)
    (local $zi1 v128)
    (local $r20 v128)
    (local $r21 v128)
    (local.set $xi0 (v128.load (local.get $target)))
    (local.set $yi0 (v128.load offset=16 (local.get $target)))
    (local.set $zi0 (v128.load offset=32 (local.get $target)))
    (local.set $best (v128.load (local.get $state)))
    (local.set $where (v128.load offset=16 (local.get $state)))
    (local.set $xi1 (v128.load (i32.add (local.get $target) (i32.const 48))))
    (local.set $yi1 (v128.load offset=16 (i32.add (local.get $target) (i32.const 48))))
    (local.set $zi1 (v128.load offset=32 (i32.add (local.get $target) (i32.const 48))))
    (local.set $best.1 (v128.load (i32.add (local.get $state) (i32.const 32))))
    (local.set $where.1 (v128.load offset=16 (i32.add (local.get $state) (i32.const 32))))
    (loop
      (local.set $xj (v128.load32_splat (local.get $source)))
      (local.set $yj (v128.load32_splat offset=4 (local.get $source)))
      (local.set $zj (v128.load32_splat offset=8 (local.get $source)))
      (local.set $dx0 (f32x4.sub (local.get $xj) (local.get $xi0)))
      (local.set $dy0 (f32x4.sub (local.get $yj) (local.get $yi0)))
      (local.set $dz0 (f32x4.sub (local.get $zj) (local.get $zi0)))
      (local.set $counts
        (f32x4.lt
          (local.tee $r20
            (f32x4.add
              (f32x4.add
                (f32x4.mul (local.get $dx0) (local.get $dx0))
                (f32x4.mul (local.get $dy0) (local.get $dy0)))
              (f32x4.mul (local.get $dz0) (local.get $dz0))))
          (local.get $best)))
      (local.set $best (v128.bitselect (local.get $r20) (local.get $best) (local.get $counts)))
      (local.set $where
        (v128.bitselect (i32x4.splat (local.get $index)) (local.get $where) (local.get $counts)))
      (local.set $dx1 (f32x4.sub (local.get $xj) (local.get $xi1)))
      (local.set $dy1 (f32x4.sub (local.get $yj) (local.get $yi1)))
      (local.set $dz1 (f32x4.sub (local.get $zj) (local.get $zi1)))
      (local.set $counts.1
        (f32x4.lt
          (local.tee $r21
            (f32x4.add
              (f32x4.add
                (f32x4.mul (local.get $dx1) (local.get $dx1))
                (f32x4.mul (local.get $dy1) (local.get $dy1)))
              (f32x4.mul (local.get $dz1) (local.get $dz1))))
          (local.get $best.1)))
      (local.set $best.1 (v128.bitselect (local.get $r21) (local.get $best.1) (local.get $counts.1)))
      (local.set $where.1
        (v128.bitselect (i32x4.splat (local.get $index)) (local.get $where.1) (local.get $counts.1)))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (br_if 0 (i32.lt_u (local.tee $source (i32.add (local.get $source) (i32.const 12))) (local.get $end))))
    (v128.store (local.get $state) (local.get $best))
    (v128.store offset=16 (local.get $state) (local.get $where))
    (v128.store (i32.add (local.get $state) (i32.const 32)) (local.get $best.1))
    (v128.store offset=16 (i32.add (local.get $state) (i32.const 32)) (local.get $where.1)))
  ;; Folds the sources of a tile into some targets, except the marked pairs.
  (func $tileMasked (export "tileMasked") (param $block i32) (param $target i32) (param $state i32) (param $source i32) (param $end i32) (param $index i32) (param $scratch i32) (param $mask i32)
    (local $best v128)
    (local $best.1 v128)
    (local $where v128)
    (local $where.1 v128)
    (local $xj v128)
    (local $yj v128)
    (local $zj v128)
    (local $dx0 v128)
    (local $dy0 v128)
    (local $dz0 v128)
    (local $r20 v128)
    (local $counts v128)
    (local $dx1 v128)
    (local $dy1 v128)
    (local $dz1 v128)
    (local $r21 v128)
    (local $counts.1 v128)
    (local $xi0 v128)
    (local $yi0 v128)
    (local $zi0 v128)
    (local $xi1 v128)
    (local $yi1 v128)
    (local $zi1 v128)
    (local $keep v128)
    (local $keep.1 v128)
    (local.set $xi0 (v128.load (local.get $target)))
    (local.set $yi0 (v128.load offset=16 (local.get $target)))
    (local.set $zi0 (v128.load offset=32 (local.get $target)))
    (local.set $best (v128.load (local.get $state)))
    (local.set $where (v128.load offset=16 (local.get $state)))
    (local.set $xi1 (v128.load (i32.add (local.get $target) (i32.const 48))))
    (local.set $yi1 (v128.load offset=16 (i32.add (local.get $target) (i32.const 48))))
    (local.set $zi1 (v128.load offset=32 (i32.add (local.get $target) (i32.const 48))))
    (local.set $best.1 (v128.load (i32.add (local.get $state) (i32.const 32))))
    (local.set $where.1 (v128.load offset=16 (i32.add (local.get $state) (i32.const 32))))
    (loop
      (local.set $xj (v128.load32_splat (local.get $source)))
      (local.set $yj (v128.load32_splat offset=4 (local.get $source)))
      (local.set $zj (v128.load32_splat offset=8 (local.get $source)))
      (local.set $dx0 (f32x4.sub (local.get $xj) (local.get $xi0)))
      (local.set $dy0 (f32x4.sub (local.get $yj) (local.get $yi0)))
      (local.set $dz0 (f32x4.sub (local.get $zj) (local.get $zi0)))
      (local.set $r20
        (f32x4.add
          (f32x4.add
            (f32x4.mul (local.get $dx0) (local.get $dx0))
            (f32x4.mul (local.get $dy0) (local.get $dy0)))
          (f32x4.mul (local.get $dz0) (local.get $dz0))))
      (local.set $keep (v128.not (v128.load (local.get $mask))))
      (local.set $counts (v128.and (f32x4.lt (local.get $r20) (local.get $best)) (local.get $keep)))
      (local.set $best (v128.bitselect (local.get $r20) (local.get $best) (local.get $counts)))
      (local.set $where
        (v128.bitselect (i32x4.splat (local.get $index)) (local.get $where) (local.get $counts)))
      (local.set $dx1 (f32x4.sub (local.get $xj) (local.get $xi1)))
      (local.set $dy1 (f32x4.sub (local.get $yj) (local.get $yi1)))
      (local.set $dz1 (f32x4.sub (local.get $zj) (local.get $zi1)))
      (local.set $r21
        (f32x4.add
          (f32x4.add
            (f32x4.mul (local.get $dx1) (local.get $dx1))
            (f32x4.mul (local.get $dy1) (local.get $dy1)))
          (f32x4.mul (local.get $dz1) (local.get $dz1))))
      (local.set $keep.1 (v128.not (v128.load offset=16 (local.get $mask))))
      (local.set $counts.1 (v128.and (f32x4.lt (local.get $r21) (local.get $best.1)) (local.get $keep.1)))
      (local.set $best.1 (v128.bitselect (local.get $r21) (local.get $best.1) (local.get $counts.1)))
      (local.set $where.1
        (v128.bitselect (i32x4.splat (local.get $index)) (local.get $where.1) (local.get $counts.1)))
      (local.set $mask (i32.add (local.get $mask) (i32.const 32)))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (br_if 0 (i32.lt_u (local.tee $source (i32.add (local.get $source) (i32.const 12))) (local.get $end))))
    (v128.store (local.get $state) (local.get $best))
    (v128.store offset=16 (local.get $state) (local.get $where))
    (v128.store (i32.add (local.get $state) (i32.const 32)) (local.get $best.1))
    (v128.store offset=16 (i32.add (local.get $state) (i32.const 32)) (local.get $where.1)))
  ;; Marks the pairs of a tile to leave out. Returns whether there are any.
  (func $mark (export "mark") (param $block i32) (param $cursors i32) (param $first i32) (param $source i32) (param $count i32) (param $mask i32) (result i32)
    (local $target i32)
    (local $targetFirst i32)
    (local $marked i32)
    (local $base i32)
    (local $targetCount i32)
    (local $number i32)
    (local $j i32)
    (local.set $targetCount (i32.load offset=32 (local.get $block)))
    (local.set $targetFirst (i32.load offset=40 (local.get $block)))
    (local.set $base (i32.add (i32.load offset=48 (local.get $block)) (local.get $source)))
    (if (i32.lt_u
        (i32.sub
          (i32.add (i32.add (local.get $targetFirst) (local.get $first)) (i32.const 7))
          (local.get $base))
        (i32.add (local.get $count) (i32.const 7)))
      (then
        (if (i32.lt_u (local.tee $target (i32.const 0)) (i32.const 8))
          (then
            (loop
              (if (i32.lt_u
                  (local.tee $number (i32.add (local.get $first) (local.get $target)))
                  (local.get $targetCount))
                (then
                  (if (i32.lt_u
                      (local.tee $j
                        (i32.sub (i32.add (local.get $targetFirst) (local.get $number)) (local.get $base)))
                      (local.get $count))
                    (then
                      (if (i32.eqz (local.get $marked))
                        (then
                          (memory.fill
                            (local.get $mask)
                            (i32.const 0)
                            (i32.mul (local.get $count) (i32.const 32)))
                          (local.set $marked (i32.const 1))))
                      (i32.store
                        (i32.add
                          (local.get $mask)
                          (i32.mul
                            (i32.add (i32.mul (local.get $j) (i32.const 8)) (local.get $target))
                            (i32.const 4)))
                        (i32.const -1))))))
              (br_if 0 (i32.lt_u (local.tee $target (i32.add (local.get $target) (i32.const 1))) (i32.const 8))))))))
    (return (local.get $marked))
    (unreachable))
  ;; Meets some targets with sources, tile by tile.
  (func $pairs (export "pairs") (param $block i32) (param $scratch i32) (param $first i32) (param $last i32)
    (local $state i32)
    (local $tile i32)
    (local $unit.1 i32)
    (local $at i32)
    (local $at.1 i32)
    (local $at.2 i32)
    (local $at.3 i32)
    (local $unit i32)
    (local $unit.2 i32)
    (local $result.value i32)
    (local $result.index i32)
    (local $targetCount i32)
    (local $state.2 i32)
    (local $remaining.2 i32)
    (local $remaining.3 i32)
    (local $sourceCount i32)
    (local $target i32)
    (local $target.1 i32)
    (local $target.2 i32)
    (local $target.3 i32)
    (local $targets i32)
    (local $sourceFirst i32)
    (local $merge i32)
    (local $inTile i32)
    (local $from i32)
    (local $to i32)
    (local $state.1 i32)
    (local $sources i32)
    (local $values i32)
    (local $indices i32)
    (local $values.1 i32)
    (local $indices.1 i32)
    (local $left i32)
    (local $targets.1 i32)
    (local $remaining i32)
    (local $remaining.1 i32)
    (local $out v128)
    (local $out.1 v128)
    (local $out.2 v128)
    (local $out.3 v128)
    (local $c0 v128)
    (local $c1 v128)
    (local.set $c0 (v128.const f32x4 inf inf inf inf))
    (local.set $c1 (v128.const i32x4 -1 -1 -1 -1))
    (local.set $targets (i32.load offset=8 (local.get $block)))
    (local.set $sources (i32.load offset=24 (local.get $block)))
    (local.set $sourceCount (i32.load offset=56 (local.get $block)))
    (local.set $sourceFirst (i32.load offset=48 (local.get $block)))
    (local.set $result.value (i32.load offset=64 (local.get $block)))
    (local.set $result.index (i32.load offset=72 (local.get $block)))
    (local.set $merge (i32.load offset=80 (local.get $block)))
    (local.set $targetCount (i32.load offset=32 (local.get $block)))
    (local.set $targets.1 (i32.load offset=8 (local.get $block)))
    (if (i32.lt_u (local.tee $unit (local.get $first)) (local.get $last))
      (then
        (loop
          (local.set $state
            (i32.add
              (local.get $scratch)
              (i32.mul (i32.sub (local.get $unit) (local.get $first)) (i32.const 64))))
          (local.set $target (i32.mul (local.get $unit) (i32.const 8)))
          (local.set $remaining (i32.sub (local.get $targetCount) (local.get $target)))
          (local.set $target.1 (i32.add (i32.mul (local.get $unit) (i32.const 8)) (i32.const 4)))
          (local.set $remaining.1 (i32.sub (local.get $targetCount) (local.get $target.1)))
          (local.set $values (i32.add (local.get $result.value) (i32.mul (local.get $target) (i32.const 4))))
          (v128.store (local.get $state) (local.get $c0))
          (v128.store offset=16 (local.get $state) (local.get $c1))
          (if (local.get $merge)
            (then
              (v128.store (local.get $state) (v128.load (local.get $values)))
              (local.set $indices
                (i32.add (local.get $result.index) (i32.mul (local.get $target) (i32.const 4))))
              (v128.store offset=16 (local.get $state) (v128.load (local.get $indices)))))
          (local.set $values.1
            (i32.add (local.get $result.value) (i32.mul (local.get $target.1) (i32.const 4))))
          (v128.store (i32.add (local.get $state) (i32.const 32)) (local.get $c0))
          (v128.store offset=16 (i32.add (local.get $state) (i32.const 32)) (local.get $c1))
          (if (local.get $merge)
            (then
              (v128.store (i32.add (local.get $state) (i32.const 32)) (v128.load (local.get $values.1)))
              (local.set $indices.1
                (i32.add (local.get $result.index) (i32.mul (local.get $target.1) (i32.const 4))))
              (v128.store offset=16
                (i32.add (local.get $state) (i32.const 32))
                (v128.load (local.get $indices.1)))))
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
              (local.tee $from (i32.add (local.get $sources) (i32.mul (local.get $tile) (i32.const 12))))
              (i32.mul (local.get $inTile) (i32.const 12))))
          (if (i32.lt_u (local.tee $unit.1 (local.get $first)) (local.get $last))
            (then
              (loop
                (local.set $state.1
                  (i32.add
                    (local.get $scratch)
                    (i32.mul (i32.sub (local.get $unit.1) (local.get $first)) (i32.const 64))))
                (if (call $mark
                    (local.get $block)
                    (i32.add
                      (i32.add (local.get $scratch) (i32.const 1024))
                      (i32.mul (i32.sub (local.get $unit.1) (local.get $first)) (i32.const 32)))
                    (i32.mul (local.get $unit.1) (i32.const 8))
                    (local.get $tile)
                    (local.get $inTile)
                    (i32.add (local.get $scratch) (i32.const 1024)))
                  (then
                    (call $tileMasked
                      (local.get $block)
                      (i32.add (local.get $targets) (i32.mul (local.get $unit.1) (i32.const 96)))
                      (local.get $state.1)
                      (local.get $from)
                      (local.get $to)
                      (i32.add (local.get $sourceFirst) (local.get $tile))
                      (i32.add (local.get $scratch) (i32.const 9216))
                      (i32.add (local.get $scratch) (i32.const 1024))))
                  (else
                    (call $tile
                      (local.get $block)
                      (i32.add (local.get $targets) (i32.mul (local.get $unit.1) (i32.const 96)))
                      (local.get $state.1)
                      (local.get $from)
                      (local.get $to)
                      (i32.add (local.get $sourceFirst) (local.get $tile))
                      (i32.add (local.get $scratch) (i32.const 9216)))))
                (br_if 0 (i32.lt_u (local.tee $unit.1 (i32.add (local.get $unit.1) (i32.const 1))) (local.get $last))))))
          (br_if 0 (i32.lt_u (local.tee $tile (i32.add (local.get $tile) (i32.const 256))) (local.get $sourceCount))))))
    (if (i32.lt_u (local.tee $unit.2 (local.get $first)) (local.get $last))
      (then
        (loop
          (local.set $state.2
            (i32.add
              (local.get $scratch)
              (i32.mul (i32.sub (local.get $unit.2) (local.get $first)) (i32.const 64))))
          (local.set $target.2 (i32.mul (local.get $unit.2) (i32.const 8)))
          (local.set $remaining.2 (i32.sub (local.get $targetCount) (local.get $target.2)))
          (local.set $target.3 (i32.add (i32.mul (local.get $unit.2) (i32.const 8)) (i32.const 4)))
          (local.set $remaining.3 (i32.sub (local.get $targetCount) (local.get $target.3)))
          (local.set $at (i32.add (local.get $result.value) (i32.mul (local.get $target.2) (i32.const 4))))
          (local.set $out (v128.load (local.get $state.2)))
          (local.set $at.1 (i32.add (local.get $result.index) (i32.mul (local.get $target.2) (i32.const 4))))
          (local.set $out.1 (v128.load offset=16 (local.get $state.2)))
          (if (i32.ge_s (local.get $remaining.2) (i32.const 4))
            (then
              (v128.store32_lane 0 (local.get $at) (local.get $out))
              (v128.store32_lane offset=4 1 (local.get $at) (local.get $out))
              (v128.store32_lane offset=8 2 (local.get $at) (local.get $out))
              (v128.store32_lane offset=12 3 (local.get $at) (local.get $out))
              (v128.store32_lane 0 (local.get $at.1) (local.get $out.1))
              (v128.store32_lane offset=4 1 (local.get $at.1) (local.get $out.1))
              (v128.store32_lane offset=8 2 (local.get $at.1) (local.get $out.1))
              (v128.store32_lane offset=12 3 (local.get $at.1) (local.get $out.1)))
            (else
              (if (i32.gt_s (local.get $remaining.2) (i32.const 0))
                (then
                  (v128.store32_lane 0 (local.get $at) (local.get $out))
                  (v128.store32_lane 0 (local.get $at.1) (local.get $out.1))))
              (if (i32.gt_s (local.get $remaining.2) (i32.const 1))
                (then
                  (v128.store32_lane offset=4 1 (local.get $at) (local.get $out))
                  (v128.store32_lane offset=4 1 (local.get $at.1) (local.get $out.1))))
              (if (i32.gt_s (local.get $remaining.2) (i32.const 2))
                (then
                  (v128.store32_lane offset=8 2 (local.get $at) (local.get $out))
                  (v128.store32_lane offset=8 2 (local.get $at.1) (local.get $out.1))))))
          (local.set $at.2 (i32.add (local.get $result.value) (i32.mul (local.get $target.3) (i32.const 4))))
          (local.set $out.2 (v128.load (i32.add (local.get $state.2) (i32.const 32))))
          (local.set $at.3 (i32.add (local.get $result.index) (i32.mul (local.get $target.3) (i32.const 4))))
          (local.set $out.3 (v128.load offset=16 (i32.add (local.get $state.2) (i32.const 32))))
          (if (i32.ge_s (local.get $remaining.3) (i32.const 4))
            (then
              (v128.store32_lane 0 (local.get $at.2) (local.get $out.2))
              (v128.store32_lane offset=4 1 (local.get $at.2) (local.get $out.2))
              (v128.store32_lane offset=8 2 (local.get $at.2) (local.get $out.2))
              (v128.store32_lane offset=12 3 (local.get $at.2) (local.get $out.2))
              (v128.store32_lane 0 (local.get $at.3) (local.get $out.3))
              (v128.store32_lane offset=4 1 (local.get $at.3) (local.get $out.3))
              (v128.store32_lane offset=8 2 (local.get $at.3) (local.get $out.3))
              (v128.store32_lane offset=12 3 (local.get $at.3) (local.get $out.3)))
            (else
              (if (i32.gt_s (local.get $remaining.3) (i32.const 0))
                (then
                  (v128.store32_lane 0 (local.get $at.2) (local.get $out.2))
                  (v128.store32_lane 0 (local.get $at.3) (local.get $out.3))))
              (if (i32.gt_s (local.get $remaining.3) (i32.const 1))
                (then
                  (v128.store32_lane offset=4 1 (local.get $at.2) (local.get $out.2))
                  (v128.store32_lane offset=4 1 (local.get $at.3) (local.get $out.3))))
              (if (i32.gt_s (local.get $remaining.3) (i32.const 2))
                (then
                  (v128.store32_lane offset=8 2 (local.get $at.2) (local.get $out.2))
                  (v128.store32_lane offset=8 2 (local.get $at.3) (local.get $out.3))))))
          (br_if 0 (i32.lt_u (local.tee $unit.2 (i32.add (local.get $unit.2) (i32.const 1))) (local.get $last))))))))
