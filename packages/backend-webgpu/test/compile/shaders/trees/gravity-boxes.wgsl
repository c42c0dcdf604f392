// gravity, sum of acceleration with a tolerance: boxes and moments of a level
struct Run {
  nodes: u32, // number of nodes of the tree
  leaves: u32, // the first of them are leaves, with those that have no points
  others: u32, // where the weights of leaves without their heaviest sources start in moments
  boxes: u32, // where the two corners of each node start in packed
  openings: u32, // where the two vectors of each node start that a walk reads
  count: u32, // number of nodes of this level that have points
  filled: u32, // number of nodes of this level, with those that have no points
  nodeFirst: u32, // the first of them
  childFirst: u32, // the first node of the level below
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> packed: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> moments: array<f32>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let place = (group.x + group.z * groups.x) * 64u + lane;
  if (place >= run.filled) { return; }
  let node = run.nodeFirst + place;
  let children = run.childFirst + 4u * place;
  var least = vec4f(1.7e38);
  var most = vec4f(-1.7e38);
  var offsets: array<vec3f, 4>;
  if (place < run.count) {
    for (var c = 0u; c < 4u; c++) {
      let low = packed[run.boxes + 2u * (children + c)];
      let high = packed[run.boxes + 2u * (children + c) + 1u];
      least = min(least, low);
      most = max(most, high);
      offsets[c] = 0.5 * (low.xyz + high.xyz);
    }
  }
  packed[run.boxes + 2u * node] = least;
  packed[run.boxes + 2u * node + 1u] = most;
  let centre = 0.5 * (least.xyz + most.xyz);
  for (var c = 0u; c < 4u; c++) { offsets[c] -= centre; }
  {
    var total = 0.0;
    var first_x = 0.0;
    var first_y = 0.0;
    var first_z = 0.0;
    var second0 = 0.0;
    var second1 = 0.0;
    var second2 = 0.0;
    var second3 = 0.0;
    var second4 = 0.0;
    var second5 = 0.0;
    for (var c = 0u; c < 4u && place < run.count; c++) {
      let child = children + c;
      let d = offsets[c];
      let t = moments[0u * run.nodes + child];
      let m_x = moments[1u * run.nodes + child];
      let m_y = moments[2u * run.nodes + child];
      let m_z = moments[3u * run.nodes + child];
      total += t;
      first_x += m_x + t * d.x;
      first_y += m_y + t * d.y;
      first_z += m_z + t * d.z;
      second0 += moments[4u * run.nodes + child] + m_x * d.x + d.x * m_x + t * d.x * d.x;
      second1 += moments[5u * run.nodes + child] + m_y * d.x + d.y * m_x + t * d.y * d.x;
      second2 += moments[6u * run.nodes + child] + m_y * d.y + d.y * m_y + t * d.y * d.y;
      second3 += moments[7u * run.nodes + child] + m_z * d.x + d.z * m_x + t * d.z * d.x;
      second4 += moments[8u * run.nodes + child] + m_z * d.y + d.z * m_y + t * d.z * d.y;
      second5 += moments[9u * run.nodes + child] + m_z * d.z + d.z * m_z + t * d.z * d.z;
    }
    moments[0u * run.nodes + node] = total;
    moments[1u * run.nodes + node] = first_x;
    moments[2u * run.nodes + node] = first_y;
    moments[3u * run.nodes + node] = first_z;
    moments[4u * run.nodes + node] = second0;
    moments[5u * run.nodes + node] = second1;
    moments[6u * run.nodes + node] = second2;
    moments[7u * run.nodes + node] = second3;
    moments[8u * run.nodes + node] = second4;
    moments[9u * run.nodes + node] = second5;
  }
  {
    var total = 0.0;
    var first_x = 0.0;
    var first_y = 0.0;
    var first_z = 0.0;
    var second0 = 0.0;
    var second1 = 0.0;
    var second2 = 0.0;
    var second3 = 0.0;
    var second4 = 0.0;
    var second5 = 0.0;
    for (var c = 0u; c < 4u && place < run.count; c++) {
      let child = children + c;
      let d = offsets[c];
      let t = moments[10u * run.nodes + child];
      let m_x = moments[11u * run.nodes + child];
      let m_y = moments[12u * run.nodes + child];
      let m_z = moments[13u * run.nodes + child];
      total += t;
      first_x += m_x + t * d.x;
      first_y += m_y + t * d.y;
      first_z += m_z + t * d.z;
      second0 += moments[14u * run.nodes + child] + m_x * d.x + d.x * m_x + t * d.x * d.x;
      second1 += moments[15u * run.nodes + child] + m_y * d.x + d.y * m_x + t * d.y * d.x;
      second2 += moments[16u * run.nodes + child] + m_y * d.y + d.y * m_y + t * d.y * d.y;
      second3 += moments[17u * run.nodes + child] + m_z * d.x + d.z * m_x + t * d.z * d.x;
      second4 += moments[18u * run.nodes + child] + m_z * d.y + d.z * m_y + t * d.z * d.y;
      second5 += moments[19u * run.nodes + child] + m_z * d.z + d.z * m_z + t * d.z * d.z;
    }
    moments[10u * run.nodes + node] = total;
    moments[11u * run.nodes + node] = first_x;
    moments[12u * run.nodes + node] = first_y;
    moments[13u * run.nodes + node] = first_z;
    moments[14u * run.nodes + node] = second0;
    moments[15u * run.nodes + node] = second1;
    moments[16u * run.nodes + node] = second2;
    moments[17u * run.nodes + node] = second3;
    moments[18u * run.nodes + node] = second4;
    moments[19u * run.nodes + node] = second5;
  }
}
