// lennard-jones, sum of force, cells (workgroup 64, targets 16) with Verlet lists
struct Run {
  targetCount: u32, // number of targets
  sourceCount: u32,
  groupFirst: u32, // workgroups [groupFirst, groupLast) run in this dispatch
  groupLast: u32,
  sourceOrder: u32, // where the order of the sources starts; that of the targets starts at 0
  evaluated: u32, // where each workgroup writes the number of sources that it met
  carry: u32, // always 0, because this loop never continues from earlier results
  reach: f32, // the distance up to which targets look
  listCount: u32, // number of lists
  listed: u32, // where their sources start
  mostListed: u32, // the most sources of a list
  length_x: f32,
  perLength_x: f32, // 1 / length_x
  length_y: f32,
  perLength_y: f32, // 1 / length_y
  length_z: f32,
  perLength_z: f32, // 1 / length_z
  p0: f32, // cutoff * cutoff
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_epsilon: array<f32>;
@group(0) @binding(2) var<storage, read> points_sigma: array<f32>;
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read> packed: array<vec4f>;
@group(0) @binding(5) var<storage, read> lists: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> result_force: array<f32>;
@group(0) @binding(7) var<storage, read> rounds: array<u32>;

var<workgroup> shared_words: array<u32, 192>;
fn lengths() -> vec3f { return vec3f(run.length_x, run.length_y, run.length_z); }
fn wrapped(x: vec3f) -> vec3f { return x - lengths() * floor(x * vec3f(run.perLength_x, run.perLength_y, run.perLength_z)); }
fn nearestImage(x: vec3f, source: vec3f) -> vec3f {
  return x + lengths() * round((source - x) * vec3f(run.perLength_x, run.perLength_y, run.perLength_z));
}
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (rounds[4u] == 0u) { return; }
  // Invocations with the same member share targets; each visits one slice of the sources.
  let member = lane % 16u;
  let slice = lane / 16u;
  let block = run.groupFirst + group.x + group.z * groups.x;
  if (block >= run.groupLast) { return; }
  // Target 0 of this invocation: place_0 is its place in the order, i_0 its index among the points, and at_0 the place of
  // its result, or 0xffffffff if there is no such target.
  let place_0 = block * 16u + member;
  let i_0 = order[min(place_0, run.targetCount - 1u)];
  let at_0 = select(0xffffffffu, i_0, place_0 < run.targetCount);
  let inside_0 = packed[2u * min(place_0, run.targetCount - 1u)].xyz;
  let xi_0 = inside_0.x;
  let yi_0 = inside_0.y;
  let zi_0 = inside_0.z;
  let t0_0 = 0.5 * points_sigma[i_0];
  let t1_0 = 24.0 * sqrt(points_epsilon[i_0]);
  var total_sum0_0 = 0.0; var total_sum1_0 = 0.0; var total_sum2_0 = 0.0;
  let visits = at_0 < run.targetCount && !(any((bitcast<vec3u>(inside_0) & vec3u(0x7f800000u)) == vec3u(0x7f800000u)) || any(abs(inside_0 - 0.5 * vec3f(run.length_x, run.length_y, run.length_z)) > 0.75 * vec3f(run.length_x, run.length_y, run.length_z)));
  let list = slice * run.targetCount + min(place_0, run.targetCount - 1u);
  let length = select(0u, lists[(list) / 4u][(list) % 4u], visits);
  let whole = lists[(0u * run.targetCount + min(place_0, run.targetCount - 1u)) / 4u][(0u * run.targetCount + min(place_0, run.targetCount - 1u)) % 4u] > run.mostListed || lists[(1u * run.targetCount + min(place_0, run.targetCount - 1u)) / 4u][(1u * run.targetCount + min(place_0, run.targetCount - 1u)) % 4u] > run.mostListed || lists[(2u * run.targetCount + min(place_0, run.targetCount - 1u)) / 4u][(2u * run.targetCount + min(place_0, run.targetCount - 1u)) % 4u] > run.mostListed || lists[(3u * run.targetCount + min(place_0, run.targetCount - 1u)) / 4u][(3u * run.targetCount + min(place_0, run.targetCount - 1u)) % 4u] > run.mostListed;
  {
    var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
    if (whole && visits) {
      for (var at = slice; at < run.sourceCount; at += 4u) {
        let source = packed[2u * at];
        let source1 = packed[2u * at + 1u].xy;
        let shifted = nearestImage(inside_0, source.xyz);
        let xi_0 = shifted.x;
        let yi_0 = shifted.y;
        let zi_0 = shifted.z;
        let dx = source.x - xi_0;
        let dy = source.y - yi_0;
        let dz = source.z - zi_0;
        let r2 = dx * dx + dy * dy + dz * dz;
        let safeR2 = select(1.0, r2, (0.0 < r2));
        let e0 = source1.x + t0_0;
        let e1 = 1.0 / safeR2;
        let e2 = e0 * e0 * e1;
        let e3 = e2 * e2 * e2;
        let w = select(0.0, source.w * (1.0 - 2.0 * e3) * (e3 * e1), (r2 <= run.p0));
        sum0_0 += w * dx;
        sum1_0 += w * dy;
        sum2_0 += w * dz;
      }
    } else if (all(inside_0 >= vec3f(run.reach)) && all(inside_0 <= lengths() - run.reach)) {
      // No image of a source matters to a target that is far from all faces.
      var next = 0u;
      for (; next + 3u < length; next += 4u) {
        let four = lists[run.listed + next / 4u * run.listCount + list];
        {
          let at = four.x;
          {
            let source = packed[2u * at];
            let source1 = packed[2u * at + 1u].xy;
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let r2 = dx * dx + dy * dy + dz * dz;
            let safeR2 = select(1.0, r2, (0.0 < r2));
            let e0 = source1.x + t0_0;
            let e1 = 1.0 / safeR2;
            let e2 = e0 * e0 * e1;
            let e3 = e2 * e2 * e2;
            let w = select(0.0, source.w * (1.0 - 2.0 * e3) * (e3 * e1), (r2 <= run.p0));
            sum0_0 += w * dx;
            sum1_0 += w * dy;
            sum2_0 += w * dz;
          }
        }
        {
          let at = four.y;
          {
            let source = packed[2u * at];
            let source1 = packed[2u * at + 1u].xy;
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let r2 = dx * dx + dy * dy + dz * dz;
            let safeR2 = select(1.0, r2, (0.0 < r2));
            let e0 = source1.x + t0_0;
            let e1 = 1.0 / safeR2;
            let e2 = e0 * e0 * e1;
            let e3 = e2 * e2 * e2;
            let w = select(0.0, source.w * (1.0 - 2.0 * e3) * (e3 * e1), (r2 <= run.p0));
            sum0_0 += w * dx;
            sum1_0 += w * dy;
            sum2_0 += w * dz;
          }
        }
        {
          let at = four.z;
          {
            let source = packed[2u * at];
            let source1 = packed[2u * at + 1u].xy;
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let r2 = dx * dx + dy * dy + dz * dz;
            let safeR2 = select(1.0, r2, (0.0 < r2));
            let e0 = source1.x + t0_0;
            let e1 = 1.0 / safeR2;
            let e2 = e0 * e0 * e1;
            let e3 = e2 * e2 * e2;
            let w = select(0.0, source.w * (1.0 - 2.0 * e3) * (e3 * e1), (r2 <= run.p0));
            sum0_0 += w * dx;
            sum1_0 += w * dy;
            sum2_0 += w * dz;
          }
        }
        {
          let at = four.w;
          {
            let source = packed[2u * at];
            let source1 = packed[2u * at + 1u].xy;
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let r2 = dx * dx + dy * dy + dz * dz;
            let safeR2 = select(1.0, r2, (0.0 < r2));
            let e0 = source1.x + t0_0;
            let e1 = 1.0 / safeR2;
            let e2 = e0 * e0 * e1;
            let e3 = e2 * e2 * e2;
            let w = select(0.0, source.w * (1.0 - 2.0 * e3) * (e3 * e1), (r2 <= run.p0));
            sum0_0 += w * dx;
            sum1_0 += w * dy;
            sum2_0 += w * dz;
          }
        }
      }
      for (; next < length; next++) {
        let at = lists[run.listed + next / 4u * run.listCount + list][next % 4u];
        {
          let source = packed[2u * at];
          let source1 = packed[2u * at + 1u].xy;
          let dx = source.x - xi_0;
          let dy = source.y - yi_0;
          let dz = source.z - zi_0;
          let r2 = dx * dx + dy * dy + dz * dz;
          let safeR2 = select(1.0, r2, (0.0 < r2));
          let e0 = source1.x + t0_0;
          let e1 = 1.0 / safeR2;
          let e2 = e0 * e0 * e1;
          let e3 = e2 * e2 * e2;
          let w = select(0.0, source.w * (1.0 - 2.0 * e3) * (e3 * e1), (r2 <= run.p0));
          sum0_0 += w * dx;
          sum1_0 += w * dy;
          sum2_0 += w * dz;
        }
      }
    } else {
      var next = 0u;
      for (; next + 3u < length; next += 4u) {
        let four = lists[run.listed + next / 4u * run.listCount + list];
        {
          let at = four.x;
          {
            let source = packed[2u * at];
            let source1 = packed[2u * at + 1u].xy;
            let shifted = nearestImage(inside_0, source.xyz);
            let xi_0 = shifted.x;
            let yi_0 = shifted.y;
            let zi_0 = shifted.z;
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let r2 = dx * dx + dy * dy + dz * dz;
            let safeR2 = select(1.0, r2, (0.0 < r2));
            let e0 = source1.x + t0_0;
            let e1 = 1.0 / safeR2;
            let e2 = e0 * e0 * e1;
            let e3 = e2 * e2 * e2;
            let w = select(0.0, source.w * (1.0 - 2.0 * e3) * (e3 * e1), (r2 <= run.p0));
            sum0_0 += w * dx;
            sum1_0 += w * dy;
            sum2_0 += w * dz;
          }
        }
        {
          let at = four.y;
          {
            let source = packed[2u * at];
            let source1 = packed[2u * at + 1u].xy;
            let shifted = nearestImage(inside_0, source.xyz);
            let xi_0 = shifted.x;
            let yi_0 = shifted.y;
            let zi_0 = shifted.z;
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let r2 = dx * dx + dy * dy + dz * dz;
            let safeR2 = select(1.0, r2, (0.0 < r2));
            let e0 = source1.x + t0_0;
            let e1 = 1.0 / safeR2;
            let e2 = e0 * e0 * e1;
            let e3 = e2 * e2 * e2;
            let w = select(0.0, source.w * (1.0 - 2.0 * e3) * (e3 * e1), (r2 <= run.p0));
            sum0_0 += w * dx;
            sum1_0 += w * dy;
            sum2_0 += w * dz;
          }
        }
        {
          let at = four.z;
          {
            let source = packed[2u * at];
            let source1 = packed[2u * at + 1u].xy;
            let shifted = nearestImage(inside_0, source.xyz);
            let xi_0 = shifted.x;
            let yi_0 = shifted.y;
            let zi_0 = shifted.z;
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let r2 = dx * dx + dy * dy + dz * dz;
            let safeR2 = select(1.0, r2, (0.0 < r2));
            let e0 = source1.x + t0_0;
            let e1 = 1.0 / safeR2;
            let e2 = e0 * e0 * e1;
            let e3 = e2 * e2 * e2;
            let w = select(0.0, source.w * (1.0 - 2.0 * e3) * (e3 * e1), (r2 <= run.p0));
            sum0_0 += w * dx;
            sum1_0 += w * dy;
            sum2_0 += w * dz;
          }
        }
        {
          let at = four.w;
          {
            let source = packed[2u * at];
            let source1 = packed[2u * at + 1u].xy;
            let shifted = nearestImage(inside_0, source.xyz);
            let xi_0 = shifted.x;
            let yi_0 = shifted.y;
            let zi_0 = shifted.z;
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let r2 = dx * dx + dy * dy + dz * dz;
            let safeR2 = select(1.0, r2, (0.0 < r2));
            let e0 = source1.x + t0_0;
            let e1 = 1.0 / safeR2;
            let e2 = e0 * e0 * e1;
            let e3 = e2 * e2 * e2;
            let w = select(0.0, source.w * (1.0 - 2.0 * e3) * (e3 * e1), (r2 <= run.p0));
            sum0_0 += w * dx;
            sum1_0 += w * dy;
            sum2_0 += w * dz;
          }
        }
      }
      for (; next < length; next++) {
        let at = lists[run.listed + next / 4u * run.listCount + list][next % 4u];
        {
          let source = packed[2u * at];
          let source1 = packed[2u * at + 1u].xy;
          let shifted = nearestImage(inside_0, source.xyz);
          let xi_0 = shifted.x;
          let yi_0 = shifted.y;
          let zi_0 = shifted.z;
          let dx = source.x - xi_0;
          let dy = source.y - yi_0;
          let dz = source.z - zi_0;
          let r2 = dx * dx + dy * dy + dz * dz;
          let safeR2 = select(1.0, r2, (0.0 < r2));
          let e0 = source1.x + t0_0;
          let e1 = 1.0 / safeR2;
          let e2 = e0 * e0 * e1;
          let e3 = e2 * e2 * e2;
          let w = select(0.0, source.w * (1.0 - 2.0 * e3) * (e3 * e1), (r2 <= run.p0));
          sum0_0 += w * dx;
          sum1_0 += w * dy;
          sum2_0 += w * dz;
        }
      }
    }
    total_sum0_0 += sum0_0; total_sum1_0 += sum1_0; total_sum2_0 += sum2_0;
  }
  var sum0_0 = total_sum0_0; var sum1_0 = total_sum1_0; var sum2_0 = total_sum2_0;
  workgroupBarrier();
  shared_words[0u * 64u + lane] = bitcast<u32>(sum0_0);
  shared_words[1u * 64u + lane] = bitcast<u32>(sum1_0);
  shared_words[2u * 64u + lane] = bitcast<u32>(sum2_0);
  workgroupBarrier();
  for (var word = slice; word < 3u && at_0 < run.targetCount; word += 4u) {
    var sum = 0.0;
    for (var other = 0u; other < 4u; other++) {
      sum += bitcast<f32>(shared_words[word * 64u + other * 16u + member]);
    }
    result_force[3u * at_0 + word] = select(0.0, result_force[3u * at_0 + word], run.carry == 1u) + sum * (t1_0);
  }
}
