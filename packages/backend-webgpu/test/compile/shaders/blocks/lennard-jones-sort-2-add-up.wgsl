// sort: add up the counts of each digit
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
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;

var<workgroup> sums: array<u32, 256>;
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // Replaces each count by the number of keys with that digit in earlier tiles. Each invocation adds up some tiles.
  let own = lane % 8u;
  let digit = group.x * 8u + own;
  let share = lane / 8u;
  let length = (run.tiles + 31u) / 32u;
  let first = share * length;
  let last = min(first + length, run.tiles);
  var sum = 0u;
  for (var place = first; place < last; place++) { sum += counts[place * 256u + digit]; }
  sums[lane] = sum;
  workgroupBarrier();
  var before = 0u;
  for (var other = 0u; other < share; other++) { before += sums[other * 8u + own]; }
  for (var place = first; place < last; place++) {
    let found = counts[place * 256u + digit];
    counts[place * 256u + digit] = before;
    before += found;
  }
  if (share == 31u) { counts[run.tiles * 256u + digit] = before; }
}
