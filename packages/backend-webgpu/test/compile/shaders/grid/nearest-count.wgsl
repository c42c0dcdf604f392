// order: count points
struct Run {
  count: u32, // number of points
  starts: u32, // where in order the counts of cells start, and then their first places
  crowded: u32, // where order says how many levels have a crowded cell
  top: u32, // the highest bit of a cell along an axis
  levels: u32, // number of its bits
  spare: u32, // number of the lowest bits of a place that do not count
  grid: u32, // where in order the grid of evenly spread sources starts
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read> bounds: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> order: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> keys: array<u32>;

fn lowest() -> vec3f { return bounds[0].xyz; }
fn longest() -> f32 { let size = bounds[1] - bounds[0]; return max(max(size.x, size.y), size.z); }
fn alongCurve(x: vec3f, top: u32) -> vec3u {
  let extent = longest();
  let scale = select(0.0, f32(2u * top) / extent, extent > 0.0);
  let most = vec3u(2u * top - 1u);
  var c = min(vec3u(clamp((x - lowest()) * scale, vec3f(0.0), vec3f(most))), most);
  for (var bit = top; bit > 1u; bit >>= 1u) {
    let below = bit - 1u;
    if ((c.x & bit) != 0u) { c.x ^= below; }
    if ((c.y & bit) != 0u) { c.x ^= below; } else { let swap = (c.x ^ c.y) & below; c.x ^= swap; c.y ^= swap; }
    if ((c.z & bit) != 0u) { c.x ^= below; } else { let swap = (c.x ^ c.z) & below; c.x ^= swap; c.z ^= swap; }
  }
  c.y ^= c.x;
  c.z ^= c.y;
  var flips = 0u;
  for (var bit = top; bit > 1u; bit >>= 1u) {
    if ((c.z & bit) != 0u) { flips ^= bit - 1u; }
  }
  return c ^ vec3u(flips);
}
fn interleaved(c: vec3u, first: u32, bits: u32) -> u32 {
  var key = 0u;
  for (var n = bits; n > 0u; n--) {
    let at = first + n - 1u;
    key = (key << 3u) | (((c.x >> at) & 1u) << 2u) | (((c.y >> at) & 1u) << 1u) | (((c.z >> at) & 1u) << 0u);
  }
  return key;
}
// A number of the grid.
fn grid(n: u32) -> f32 { return bounds[2u + n / 4u][n % 4u]; }
fn gridCells() -> vec3f { return vec3f(grid(1u), grid(2u), grid(3u)); }
fn gridLow() -> vec3f { return vec3f(grid(4u), grid(5u), grid(6u)); }
fn gridPerEdge() -> vec3f { return vec3f(grid(7u), grid(8u), grid(9u)); }
fn gridSize() -> vec3f { return vec3f(grid(10u), grid(11u), grid(12u)); }
// The cell of a place, along each axis.
fn gridCell(place: vec3f, cells: vec3f) -> vec3f { return clamp(floor(place), vec3f(0.0), cells - 1.0); }
// The number of a cell: those of a row along x follow each other.
fn cellNumber(cell: vec3f, cells: vec3f) -> u32 {
  let at = vec3u(cell);
  let along = vec3u(cells);
  return (at.z * along.y + at.y) * along.x + at.x;
}
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let p = (group.x + group.z * groups.x) * 256u + lane;
  if (p >= run.count) { return; }
  let x = vec3f(points_position[3u * p], points_position[3u * p + 1u], points_position[3u * p + 2u]);
  let isEven = grid(0u) == 1.0;
  var cell = 0u;
  if (isEven) {
    if (!any((bitcast<vec3u>(x) & vec3u(0x7f800000u)) == vec3u(0x7f800000u))) {
      let cells = gridCells();
      cell = cellNumber(gridCell((x - gridLow()) * gridPerEdge(), cells), cells);
    }
  } else {
    let place = alongCurve(x, run.top);
    cell = interleaved(place, 0u, run.levels) >> run.spare;
  }
  let before = atomicAdd(&order[run.starts + cell], 1u);
  keys[p] = cell;
  keys[run.count + p] = before;
  if (!isEven) {
    if (before == 32u) { atomicMax(&order[run.crowded], 1u); }
  } else if (before == 256u) {
    // Not so even: the loop over blocks visits the points, and crowded cells are divided.
    atomicStore(&order[run.grid + 0u], 0u);
    atomicMax(&order[run.crowded], 1u);
  }
}
