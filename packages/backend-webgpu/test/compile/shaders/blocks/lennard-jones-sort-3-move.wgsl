// sort: move the keys
struct Run {
  count: u32, // number of keys
  tiles: u32, // number of workgroups that count digits
  rows: u32, // number of rows of keys of each, with one key per invocation
  shift: u32, // number of bits below those of this pass
  ordered: u32, // 0 in the first pass, before which the points are in their own order
  ofPoints: u32, // 1 in the first pass of each word, whose keys are in the order of the points
  keysFrom: u32, // where the keys are
  keysTo: u32, // where the keys go
  orderFrom: u32, // where the points are
  orderTo: u32, // where the points go
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> order: array<u32>;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

// One bit for each digit and lane of a row, set if the key of the lane has that digit.
var<workgroup> marks: array<atomic<u32>, 2048>;
// Where the next key of each digit goes.
var<workgroup> next: array<u32, 256>;
var<workgroup> sums: array<u32, 256>;
fn runningSum(value: u32, lane: u32) -> u32 {
  sums[lane] = value;
  workgroupBarrier();
  for (var step = 1u; step < 256u; step *= 2u) {
    var sum = sums[lane];
    if (lane >= step) { sum += sums[lane - step]; }
    workgroupBarrier();
    sums[lane] = sum;
    workgroupBarrier();
  }
  return sums[lane];
}
fn pointAt(at: u32) -> u32 {
  if (run.ordered == 0u) { return at; }
  return order[run.orderFrom + at];
}
fn keyAt(at: u32) -> u32 {
  if (run.ofPoints == 0u) { return keys[run.keysFrom + at]; }
  return keys[run.keysFrom + pointAt(at)];
}
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let place = group.x + group.z * groups.x;
  for (var word = 0u; word < 8u; word++) { atomicStore(&marks[word * 256u + lane], 0u); }
  let all = counts[run.tiles * 256u + lane];
  let smaller = runningSum(all, lane) - all;
  next[lane] = smaller + counts[min(place, run.tiles - 1u) * 256u + lane];
  for (var row = 0u; row < run.rows; row++) {
    let at = (place * run.rows + row) * 256u + lane;
    let inside = at < run.count;
    var key = 0u;
    var point = 0u;
    if (inside) {
      key = keyAt(at);
      point = pointAt(at);
    }
    let digit = (key >> run.shift) & 255u;
    if (inside) { atomicOr(&marks[digit * 8u + lane / 32u], 1u << (lane % 32u)); }
    workgroupBarrier();
    var before = 0u;
    var ofDigit = 0u;
    for (var word = 0u; word < 8u; word++) {
      let marked = atomicLoad(&marks[digit * 8u + word]);
      let lower = select(0u, marked, word < lane / 32u) | select(0u, marked & ((1u << (lane % 32u)) - 1u), word == lane / 32u);
      before += countOneBits(lower);
      ofDigit += countOneBits(marked);
    }
    let goes = next[digit] + before;
    workgroupBarrier();
    if (inside) {
      keys[run.keysTo + goes] = key;
      order[run.orderTo + goes] = point;
      if (before == 0u) {
        next[digit] += ofDigit;
        for (var word = 0u; word < 8u; word++) { atomicStore(&marks[digit * 8u + word], 0u); }
      }
    }
    workgroupBarrier();
  }
}
