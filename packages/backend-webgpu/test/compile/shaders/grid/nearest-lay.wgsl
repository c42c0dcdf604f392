// order: lay a grid over points
struct Run {
  count: u32, // number of points
  grid: u32, // where in order the grid of evenly spread sources starts
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read_write> bounds: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> order: array<u32>;

var<workgroup> keys: array<u32, 512>;
var<workgroup> together: atomic<u32>;
var<workgroup> outside: atomic<u32>;
fn awayFrom(low: vec3f, size: vec3f, x: vec3f) -> f32 {
  let beyond = max(max(low - x, x - low - size), vec3f(0.0));
  return beyond.x + beyond.y + beyond.z;
}
fn keep(n: u32, number: f32) {
  order[run.grid + n] = bitcast<u32>(number);
  bounds[2u + n / 4u][n % 4u] = number;
}
// As many cells as sources, or somewhat less. Along an axis that is shorter than their edge there is one.
fn cellsOver(box: vec3f) -> vec3f {
  let relative = box / vec3f(0.4807499, 1.4422496, 1.4422496);
  var divided = relative > vec3f(0.0);
  var edge = 0.0;
  for (var n = 0u; n < 3u; n++) {
    let sides = select(vec3f(1.0), relative, divided);
    edge = pow(sides.x * sides.y * sides.z / (0.98 * f32(run.count)), 1.0 / f32(max(u32(divided.x) + u32(divided.y) + u32(divided.z), 1u)));
    divided = divided & (relative >= vec3f(edge));
  }
  return select(vec3f(1.0), clamp(floor(relative / edge), vec3f(1.0), vec3f(1048576.0)), divided);
}
fn cubesOver(cells: vec3f) -> vec3f { return ceil(cells / vec3f(12.0, 4.0, 4.0)); }
fn cubeNumber(place: vec3f, cells: vec3f) -> u32 {
  let cube = floor(place / vec3f(12.0, 4.0, 4.0));
  let cubes = cubesOver(cells);
  return ((u32(cube.z)) * u32(cubes.y) + u32(cube.y)) * u32(cubes.x) + u32(cube.x);
}
// The radius of a ball that holds as many sources as a target expects to need. An axis with one cell does not count.
fn startOver(box: vec3f, cells: vec3f, expected: f32) -> f32 {
  let counts = cells > vec3f(1.0);
  let edges = select(vec3f(1.0), box / cells, counts);
  let axes = u32(counts.x) + u32(counts.y) + u32(counts.z);
  let ball = array<f32, 4>(1.0000000, 2.0000000, 3.1415927, 4.1887902)[axes];
  let perSource = cells.x * cells.y * cells.z / f32(run.count) * edges.x * edges.y * edges.z;
  return pow(expected * perSource / ball, 1.0 / max(f32(axes), 1.0));
}
// The number of a point: the same each time, but not in steps that a lattice may have.
fn someOf(count: u32, n: u32) -> u32 {
  var bits = n * 747796405u + 2891336453u;
  bits = ((bits >> ((bits >> 28u) + 4u)) ^ bits) * 277803737u;
  return ((bits >> 22u) ^ bits) % count;
}
fn sortKeys(lane: u32) {
  for (var size = 2u; size <= 512u; size *= 2u) {
    for (var apart = size / 2u; apart > 0u; apart /= 2u) {
      workgroupBarrier();
      for (var n = lane; n < 256u; n += 256u) {
        let first = 2u * n - (n & (apart - 1u));
        let second = first + apart;
        let one = keys[first];
        let other = keys[second];
        if ((one > other) == ((first & size) == 0u)) {
          keys[first] = other;
          keys[second] = one;
        }
      }
    }
  }
  workgroupBarrier();
}
fn countTogether(lane: u32) {
  for (var n = lane; n < 512u; n += 256u) {
    var next = n + 1u;
    let last = min(n + 64u, 512u);
    while (next < last && keys[min(next, 511u)] == keys[n]) { next++; }
    atomicAdd(&together, next - n - 1u);
  }
}
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (run.count == 0u) { return; }
  if (lane == 0u) {
    atomicStore(&together, 0u);
    atomicStore(&outside, 0u);
  }
  let low = bounds[0].xyz;
  let size = bounds[1].xyz - low;
  let longest = max(max(size.x, size.y), size.z);
  // In units of the longest side, so that products neither overflow nor vanish.
  let box = size / longest;
  let cells = cellsOver(box);
  let start = longest * startOver(box, cells, 6.6);
  let perEdge = select(cells / size, vec3f(0.0), cells == vec3f(1.0));
  for (var n = lane; n < 512u; n += 256u) {
    let place = (vec3f(points_position[3u * someOf(run.count, n)], points_position[3u * someOf(run.count, n) + 1u], points_position[3u * someOf(run.count, n) + 2u]) - low) * perEdge;
    keys[n] = cubeNumber(clamp(place, vec3f(0.0), cells - 1.0), cells);
  }
  sortKeys(lane);
  countTogether(lane);
  workgroupBarrier();
  if (lane > 0u) { return; }
  let usual = 130816.0 / (cubesOver(cells).x * cubesOver(cells).y * cubesOver(cells).z);
  let even = f32(atomicLoad(&together)) <= 4.0 * usual + 16.0;
  // Squares of other lengths might overflow or vanish.
  let measured = start > 1e-15 && longest < 1e15 && any(cells > vec3f(1.0)) && cells.x * cells.y * cells.z <= f32(run.count);
  keep(0u, select(0.0, 1.0, even && measured));
  keep(1u, cells.x);
  keep(2u, cells.y);
  keep(3u, cells.z);
  keep(4u, low.x);
  keep(5u, low.y);
  keep(6u, low.z);
  keep(7u, perEdge.x);
  keep(8u, perEdge.y);
  keep(9u, perEdge.z);
  keep(10u, size.x);
  keep(11u, size.y);
  keep(12u, size.z);
  keep(13u, start);
}
