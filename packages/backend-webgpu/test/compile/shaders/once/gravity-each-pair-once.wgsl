// gravity, sum of acceleration, each-pair-once (subgroup 32, targets 1, unroll 1, offsets 2)
enable subgroups;
diagnostic(off, subgroup_uniformity);

struct Run {
  targetFirst: u32, // 0, because all points are targets
  targetCount: u32, // number of points
  parts: u32, // slots of this round: one per offset, then one per workgroup of a block
  carry: u32, // 1 if the results contain earlier rounds to continue from
  blocks: u32, // number of blocks of points in the ring
  offsetFirst: u32, // offsets [offsetFirst, offsetLast) between blocks that meet
  offsetLast: u32,
  perPart: u32, // offsets of each of the first longParts workgroups; the others have one
  longParts: u32,
  p0: f32, // G
  p1: f32, // softening * softening
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read> points_mass: array<f32>;
@group(0) @binding(3) var<storage, read_write> partial: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
  // For each pair of blocks, one meets the other. A workgroup holds the points of its block in registers.
  let next = (lane + 1u) % 32u;
  let block = group.x;
  // Point 0 of this invocation. Beyond the last point it is the last again, and its sums are not written.
  let at_0 = block * 32u + 0u + lane;
  let i_0 = min(at_0, run.targetCount - 1u);
  let xi_0 = points_position[3u * i_0];
  let yi_0 = points_position[3u * i_0 + 1u];
  let zi_0 = points_position[3u * i_0 + 2u];
  let t0_0 = run.p0 * points_mass[i_0];
  var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
  // The last parts are short, so that all workgroups finish at about the same time.
  let firstOffset = run.offsetFirst + min(group.y, run.longParts) * run.perPart + max(group.y, run.longParts) - run.longParts;
  let lastOffset = min(firstOffset + select(1u, run.perPart, group.y < run.longParts), run.offsetLast);
  for (var offset = firstOffset; offset < lastOffset; offset++) {
    // This block meets the block that is offset places ahead in the ring: itself at offset 0.
    let other = (block + offset) % run.blocks;
    // Half way round an even ring both blocks would meet each other, so one of the two skips it.
    let met = 2u * offset == run.blocks && block >= offset;
    let whole = (max(block, other) + 1u) * 32u <= run.targetCount;
    for (var row = 0u; row < 1u && !met; row++) {
      // Each invocation loads one point of a row of the other block. The points go round the subgroup with their sums, back.
      let firstSource = other * 32u + row * 32u;
      let home = firstSource + lane;
      let j = min(home, run.targetCount - 1u);
      var source = vec4f(points_position[3u * j], points_position[3u * j + 1u], points_position[3u * j + 2u], run.p0 * points_mass[j]);
      var back0 = 0.0; var back1 = 0.0; var back2 = 0.0;
      if (whole) {
        // After a whole round, each point is back in the lane that loaded it.
        for (var turn = 0u; turn < 32u; turn++) {
          {
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
            let e1 = e0 * e0 * e0;
            let w = source.w * e1;
            let v = t0_0 * e1;
            sum0_0 += w * dx; back0 -= v * dx;
            sum1_0 += w * dy; back1 -= v * dy;
            sum2_0 += w * dz; back2 -= v * dz;
          }
          source = subgroupShuffle(source, next);
          back0 = subgroupShuffle(back0, next);
          back1 = subgroupShuffle(back1, next);
          back2 = subgroupShuffle(back2, next);
        }
      } else {
        for (var turn = 0u; turn < 32u; turn++) {
          let there = firstSource + (lane + turn) % 32u;
          {
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
            let e1 = e0 * e0 * e0;
            let w = select(0.0, source.w * e1, max(there, at_0) < run.targetCount);
            let v = select(0.0, t0_0 * e1, max(there, at_0) < run.targetCount);
            sum0_0 += w * dx; back0 -= v * dx;
            sum1_0 += w * dy; back1 -= v * dy;
            sum2_0 += w * dz; back2 -= v * dz;
          }
          source = subgroupShuffle(source, next);
          back0 = subgroupShuffle(back0, next);
          back1 = subgroupShuffle(back1, next);
          back2 = subgroupShuffle(back2, next);
        }
      }
      if (home < run.targetCount) {
        // Within one block each pair is computed from both sides, so these sums are counted already and 0 is saved.
        partial[((offset - run.offsetFirst) * 3u + 0u) * run.targetCount + home] = bitcast<u32>(select(back0, 0.0, offset == 0u));
        partial[((offset - run.offsetFirst) * 3u + 1u) * run.targetCount + home] = bitcast<u32>(select(back1, 0.0, offset == 0u));
        partial[((offset - run.offsetFirst) * 3u + 2u) * run.targetCount + home] = bitcast<u32>(select(back2, 0.0, offset == 0u));
      }
    }
    // The other block meets this one, so the slot of this offset stays 0.
    for (var row = 0u; row < 1u && met; row++) {
      let home = other * 32u + row * 32u + lane;
      if (home < run.targetCount) {
        partial[((offset - run.offsetFirst) * 3u + 0u) * run.targetCount + home] = 0u;
        partial[((offset - run.offsetFirst) * 3u + 1u) * run.targetCount + home] = 0u;
        partial[((offset - run.offsetFirst) * 3u + 2u) * run.targetCount + home] = 0u;
      }
    }
  }
  // The sums of this block go to the slot of this workgroup, after the slots of the offsets.
  if (at_0 < run.targetCount) {
    partial[((run.offsetLast - run.offsetFirst + group.y) * 3u + 0u) * run.targetCount + at_0] = bitcast<u32>(sum0_0);
    partial[((run.offsetLast - run.offsetFirst + group.y) * 3u + 1u) * run.targetCount + at_0] = bitcast<u32>(sum1_0);
    partial[((run.offsetLast - run.offsetFirst + group.y) * 3u + 2u) * run.targetCount + at_0] = bitcast<u32>(sum2_0);
  }
}
