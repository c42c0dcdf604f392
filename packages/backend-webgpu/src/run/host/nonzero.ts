/**
 * The places of the numbers of an array that are not 0, found on the device: their count and a list are read, nothing else. The list has
 * room for a thousand at first, and is made again if there are more.
 *
 * @module
 */
import { completed } from '../../design/completed.ts'
import type { Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { GpuHost } from './host.ts'
import type { Memory } from './memory.ts'
import { mostGroups, readPass } from './read-pass.ts'

const workgroup = 256
/** Numbers that one invocation looks at. */
const each = 16
/** The places that the first list has room for. */
const fewest = 1023

const nonzeroShader: Shader = completed(
  {
    label: 'places of numbers that are not 0',
    resources: [
      { key: 'numbers', access: 'read', type: 'u32' },
      { key: 'places', access: 'read_write', type: 'atomic<u32>' },
    ],
    fields: [
      { name: 'count', type: 'u32' },
      { name: 'room', type: 'u32' },
    ],
    workgroup,
  },
  wgsl`
@compute @workgroup_size(${workgroup})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let first = ${workgroup * each}u * (group.x + ${mostGroups}u * group.y) + lane;
  for (var n = 0u; n < ${each}u; n++) {
    let at = first + ${workgroup}u * n;
    // Bits tell, because a shader may take small numbers for 0 and compare NaN as it likes. Only the sign may be set in a 0.
    if (at < run.count && (numbers[at] & 0x7fffffffu) != 0u) {
      let found = atomicAdd(&places[0], 1u);
      if (found < run.room) { atomicStore(&places[found + 1u], at); }
    }
  }
}
`,
)

/** @param length how many numbers of the buffer to look at */
export async function nonzeroPlaces(
  host: GpuHost,
  memory: Memory,
  numbers: GPUBuffer,
  length: number,
): Promise<Uint32Array> {
  const groups = Math.ceil(length / (workgroup * each))
  const listed = async (room: number): Promise<Uint32Array> => {
    const result = await readPass(host, memory, {
      ...{ action: 'find numbers of device array', shader: nonzeroShader, numbers, groups },
      ...{ values: [length, room], bytes: 4 * (room + 1) },
    })
    const [found = 0] = new Uint32Array(result, 0, 1)
    // Invocations take their places in any order.
    return found > room ? listed(found) : new Uint32Array(result, 4, found).sort()
  }
  return length === 0 ? new Uint32Array() : listed(Math.min(length, fewest))
}
