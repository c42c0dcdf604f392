/**
 * The WebGL device: opens a context with gpu.js, proves it, and chooses the program for each workload.
 *
 * @module
 */
import {
  BackendUnavailableError,
  type Device,
  type DeviceInfo,
  type Plan,
  type Program,
  type Shape,
  type Workload,
} from '@manybody/core'
import { componentsOf, requireSupport, whole } from '@manybody/core/backend'
import { loopVariant } from './designs/design.ts'
import { naiveGap, naiveVariant } from './designs/naive-design.ts'
import { supportOf } from './designs/support.ts'
import { type ContextFactory, type FoundContext, featuresOf, findContext, release } from './host/adapter.ts'
import { blamingLoss } from './host/blame.ts'
import { WebglBuffer } from './host/buffer.ts'
import { loadDriver, withoutDriver } from './host/driver.ts'
import { GlHost } from './host/host.ts'
import { Sheets } from './host/memory.ts'
import { ElementProgram } from './programs/element-program.ts'
import { MatrixProgram } from './programs/matrix-program.ts'
import { NaiveProgram } from './programs/naive.ts'
import { PairProgram } from './programs/pair-program.ts'
import type { WebglProgram } from './programs/program.ts'
import { disproof } from './programs/proof.ts'
import { sequenceOf } from './programs/sequence.ts'

/** Opens WebGL through gpu.js and proves float32. @throws {@link BackendUnavailableError} */
export async function openDevice(factory?: ContextFactory): Promise<Device> {
  const found = findContext(factory)
  if (!('gl' in found)) throw new BackendUnavailableError('webgl', found.reason)
  try {
    const Gpu = await loadDriver().catch((cause: unknown) => {
      throw new BackendUnavailableError('webgl', withoutDriver(cause), { cause })
    })
    const host = new GlHost(Gpu, found)
    return await blamingLoss(host, async () => {
      const sheets = new Sheets(host)
      const info = infoOf(found)
      const doubt = await disproof(host, sheets, info)
      if (doubt !== undefined) throw new BackendUnavailableError('webgl', doubt)
      return deviceOf(host, sheets, info)
    })
  } catch (error) {
    release(found.gl)
    throw error
  }
}

type Context = Extract<FoundContext, { gl: unknown }>

function infoOf({ gl, version, renderer, kind }: Context): DeviceInfo {
  return {
    backend: 'webgl',
    name: renderer,
    kind,
    precision: 'f32',
    features: featuresOf(version),
    limits: {
      textureSize: gl.getParameter(gl.MAX_TEXTURE_SIZE) as number,
      textures: gl.getParameter(gl.MAX_TEXTURE_IMAGE_UNITS) as number,
      // One result is read back into one typed array.
      resultBytes: 2 ** 28,
    },
  }
}

function deviceOf(host: GlHost, sheets: Sheets, info: DeviceInfo): Device {
  const programs = new WeakSet<object>()
  return {
    info,
    supports: (workload, shape) => supportOf(workload, shape, info),
    prepare: (workload, shape, plan) =>
      blamingLoss(host, async () => {
        host.check()
        const program = programOf(host, sheets, info, workload, shape, plan)
        try {
          await program.ready()
        } catch (error) {
          program.dispose()
          throw error
        }
        programs.add(program)
        return program
      }),
    buffer: (length) =>
      blamingLoss(host, () => {
        host.check()
        return new WebglBuffer(host, sheets, whole(length, 'length', 0))
      }),
    sequence: async (stages) => sequenceOf(host, programs, stages),
    lost: host.lost,
    dispose: () => host.dispose(),
  }
}

/** A program that is still compiling. */
type Preparing = Program & Pick<WebglProgram, 'ready'>

function programOf(
  host: GlHost,
  sheets: Sheets,
  info: DeviceInfo,
  workload: Workload,
  shape: Shape,
  plan: Plan = { variant: loopVariant },
): Preparing {
  requireSupport('webgl', workload, supportOf(workload, shape, info))
  if (plan.variant === naiveVariant && workload.loop === 'pair') {
    const gap = naiveGap(workload, componentsOf(workload, shape.dimension))
    if (gap !== undefined) requireSupport('webgl', workload, { ok: false, reason: gap })
    requireNoSizes(plan)
    return new NaiveProgram(host, workload, shape, info)
  }
  if (plan.variant !== loopVariant)
    requireSupport('webgl', workload, {
      ok: false,
      reason: `this backend has no variant "${plan.variant}"; use "${loopVariant}"`,
    })
  requireNoSizes(plan)
  if (workload.loop !== 'pair') return new ElementProgram(host, sheets, workload, shape, info)
  const Program = workload.reduction === 'none' ? MatrixProgram : PairProgram
  return new Program(host, sheets, workload, shape, info)
}

/** @throws RangeError for sizes, which no loop has */
function requireNoSizes({ sizes = {} }: Plan): void {
  const names = Object.keys(sizes)
  if (names.length > 0)
    throw new RangeError(`"sizes" expected none, because loops on WebGL have no sizes, got ${names.join(', ')}`)
}
