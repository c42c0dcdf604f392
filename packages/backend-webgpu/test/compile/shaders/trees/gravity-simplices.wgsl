// gravity, sum of acceleration with a tolerance: simplices
struct Run {
  nodes: u32, // number of nodes of the tree
  leaves: u32, // the first of them are leaves, with those that have no points
  others: u32, // where the weights of leaves without their heaviest sources start in moments
  boxes: u32, // where the two corners of each node start in packed
  openings: u32, // where the two vectors of each node start that a walk reads
  root: u32, // the root of the tree
  proxied: u32, // the first node that has proxies
  proxyFirst: u32, // the place of its first proxy among the sources
  scheme: u32, // where the number of proxies of a node goes in packed
  p0: f32, // G
  p1: f32, // softening * softening
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> packed: array<vec4f>;
@group(0) @binding(2) var<storage, read> moments: array<f32>;

const corners = array<vec3f, 4>(vec3f(1.0, 1.0, 1.0), vec3f(1.0, -1.0, -1.0), vec3f(-1.0, 1.0, -1.0), vec3f(-1.0, -1.0, 1.0));
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let node = (group.x + group.z * groups.x) * 64u + lane;
  if (node >= run.nodes) { return; }
  let low = packed[run.boxes + 2u * node].xyz;
  let high = packed[run.boxes + 2u * node + 1u].xyz;
  let middle = 0.5 * (low + high);
  let half = 0.5 * (high - low);
  // Each source counts by the sizes of its weights, relative to those of all sources.
  var share = 0.0;
  var others = 0.0;
  var weighs = false;
  var moved = vec3f(0.0);
  {
    let all = moments[0u * run.nodes + run.root] - moments[10u * run.nodes + run.root];
    if (all > 0.0) {
      weighs = true;
      share += (moments[0u * run.nodes + node] - moments[10u * run.nodes + node]) / all;
      if (node < run.leaves) { others += moments[run.others + 0u * run.leaves + node] / all; }
      moved += (vec3f(moments[1u * run.nodes + node], moments[2u * run.nodes + node], moments[3u * run.nodes + node]) - vec3f(moments[11u * run.nodes + node], moments[12u * run.nodes + node], moments[13u * run.nodes + node])) / all;
    }
  }
  let centre = middle + select(vec3f(0.0), moved / share, share > 0.0);
  let longest = max(max(max(half.x, half.y), half.z), 1e-18);
  let edges = pow(half / longest, vec3f(6.0));
  let byEdges = 3.0 * longest * longest * pow(dot(edges, vec3f(0.3333333333333333)), 0.3333333333333333);
  let byWeight = pow(max(dot(half, half), 1e-30), 0.6) * pow(max(share, 1e-30), 0.4);
  let reach = select(byEdges, byWeight, weighs);
  // A node without points has a negative reach.
  packed[run.openings + 2u * node] = vec4f(middle, select(reach, -1.0, low.x > high.x));
  packed[run.openings + 2u * node + 1u] = vec4f(centre, dot(half, half));
  packed[run.boxes + 2u * node].w = others;
  packed[run.boxes + 2u * node + 1u].w = share;
  var size = 0u;
  size += select(0u, 4u, moments[0u * run.nodes + run.root] != 0.0);
  size += select(0u, 4u, moments[10u * run.nodes + run.root] != 0.0);
  if (node == run.root) { packed[run.scheme] = vec4f(f32(size)); }
  if (node < run.proxied) { return; }
  var place = run.proxyFirst + (node - run.proxied) * size;
  if (moments[0u * run.nodes + run.root] != 0.0) {
    let total = moments[0u * run.nodes + node];
    let inverse = select(0.0, 1.0 / total, total != 0.0);
    let mean = vec3f(moments[1u * run.nodes + node], moments[2u * run.nodes + node], moments[3u * run.nodes + node]) * inverse;
    // Cholesky's decomposition of the second moments about the centre.
    let second_0_0 = moments[4u * run.nodes + node] * inverse;
    let rest_0_0 = second_0_0 - mean.x * mean.x;
    let root_0_0 = sqrt(select(0.0, rest_0_0, rest_0_0 > 0.0000019073486328125 * second_0_0));
    let second_1_0 = moments[5u * run.nodes + node] * inverse;
    let rest_1_0 = second_1_0 - mean.y * mean.x;
    let root_1_0 = select(0.0, rest_1_0 / root_0_0, root_0_0 > 0.0);
    let second_1_1 = moments[6u * run.nodes + node] * inverse;
    let rest_1_1 = second_1_1 - mean.y * mean.y - root_1_0 * root_1_0;
    let root_1_1 = sqrt(select(0.0, rest_1_1, rest_1_1 > 0.0000019073486328125 * second_1_1));
    let second_2_0 = moments[7u * run.nodes + node] * inverse;
    let rest_2_0 = second_2_0 - mean.z * mean.x;
    let root_2_0 = select(0.0, rest_2_0 / root_0_0, root_0_0 > 0.0);
    let second_2_1 = moments[8u * run.nodes + node] * inverse;
    let rest_2_1 = second_2_1 - mean.z * mean.y - root_2_0 * root_1_0;
    let root_2_1 = select(0.0, rest_2_1 / root_1_1, root_1_1 > 0.0);
    let second_2_2 = moments[9u * run.nodes + node] * inverse;
    let rest_2_2 = second_2_2 - mean.z * mean.z - root_2_0 * root_2_0 - root_2_1 * root_2_1;
    let root_2_2 = sqrt(select(0.0, rest_2_2, rest_2_2 > 0.0000019073486328125 * second_2_2));
    let part = total * 0.25;
    for (var n = 0u; n < 4u; n++) {
      let corner = corners[n];
      let x = middle + mean + vec3f(root_0_0 * corner.x, root_1_0 * corner.x + root_1_1 * corner.y, root_2_0 * corner.x + root_2_1 * corner.y + root_2_2 * corner.z);
      packed[place] = vec4f(x.x, x.y, x.z, run.p0 * part);
      place++;
    }
  }
  if (moments[10u * run.nodes + run.root] != 0.0) {
    let total = moments[10u * run.nodes + node];
    let inverse = select(0.0, 1.0 / total, total != 0.0);
    let mean = vec3f(moments[11u * run.nodes + node], moments[12u * run.nodes + node], moments[13u * run.nodes + node]) * inverse;
    // Cholesky's decomposition of the second moments about the centre.
    let second_0_0 = moments[14u * run.nodes + node] * inverse;
    let rest_0_0 = second_0_0 - mean.x * mean.x;
    let root_0_0 = sqrt(select(0.0, rest_0_0, rest_0_0 > 0.0000019073486328125 * second_0_0));
    let second_1_0 = moments[15u * run.nodes + node] * inverse;
    let rest_1_0 = second_1_0 - mean.y * mean.x;
    let root_1_0 = select(0.0, rest_1_0 / root_0_0, root_0_0 > 0.0);
    let second_1_1 = moments[16u * run.nodes + node] * inverse;
    let rest_1_1 = second_1_1 - mean.y * mean.y - root_1_0 * root_1_0;
    let root_1_1 = sqrt(select(0.0, rest_1_1, rest_1_1 > 0.0000019073486328125 * second_1_1));
    let second_2_0 = moments[17u * run.nodes + node] * inverse;
    let rest_2_0 = second_2_0 - mean.z * mean.x;
    let root_2_0 = select(0.0, rest_2_0 / root_0_0, root_0_0 > 0.0);
    let second_2_1 = moments[18u * run.nodes + node] * inverse;
    let rest_2_1 = second_2_1 - mean.z * mean.y - root_2_0 * root_1_0;
    let root_2_1 = select(0.0, rest_2_1 / root_1_1, root_1_1 > 0.0);
    let second_2_2 = moments[19u * run.nodes + node] * inverse;
    let rest_2_2 = second_2_2 - mean.z * mean.z - root_2_0 * root_2_0 - root_2_1 * root_2_1;
    let root_2_2 = sqrt(select(0.0, rest_2_2, rest_2_2 > 0.0000019073486328125 * second_2_2));
    let part = total * 0.25;
    for (var n = 0u; n < 4u; n++) {
      let corner = corners[n];
      let x = middle + mean + vec3f(root_0_0 * corner.x, root_1_0 * corner.x + root_1_1 * corner.y, root_2_0 * corner.x + root_2_1 * corner.y + root_2_2 * corner.z);
      packed[place] = vec4f(x.x, x.y, x.z, run.p0 * part);
      place++;
    }
  }
}
