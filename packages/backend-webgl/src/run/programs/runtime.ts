/**
 * The running half of a WebGL device: opens a context with gpu.js, proves it, and runs designs. It reads no formula.
 *
 * @module
 */

import type { Device, DeviceInfo, Shape } from '@manybody/core'
import { BackendUnavailableError, whole } from '@manybody/core/backend'
import type { GuardedDesigns } from '../../design/design.ts'
import type { DeviceFacts } from '../../design/facts.ts'
import { type ContextFactory, type FoundContext, featuresOf, findContext, release } from '../host/adapter.ts'
import { blamingLoss } from '../host/blame.ts'
import { WebglBuffer } from '../host/buffer.ts'
import { loadDriver, withoutDriver } from '../host/gpu-js.ts'
import { GlHost } from '../host/host.ts'
import { Sheets } from '../host/memory.ts'
import type { OpenedHost, WebglProgram } from './program.ts'
import { programOf } from './programs.ts'
import { disproof } from './proof.ts'
import { sequenceOf } from './sequence.ts'

/** A device that takes designs, where a {@link Device} takes workloads. */
export interface Runtime extends Omit<Device, 'supports' | 'prepare'> {
  readonly facts: DeviceFacts
  /**
   * Compiles the designs that `design` makes. It is called once the device is known to be there.
   *
   * @throws {@link ProgramCompilationError}, {@link DeviceLostError}
   */
  prepare(shape: Shape, design: () => Promise<GuardedDesigns> | GuardedDesigns): Promise<WebglProgram>
}

/** Opens WebGL through gpu.js and proves float32. @throws {@link BackendUnavailableError} */
export async function openRuntime(factory?: ContextFactory): Promise<Runtime> {
  const found = findContext(factory)
  if (!('gl' in found)) throw new BackendUnavailableError('webgl', found.reason)
  try {
    const Gpu = await loadDriver().catch((cause: unknown) => {
      throw new BackendUnavailableError('webgl', withoutDriver(cause), { cause })
    })
    const host = new GlHost(Gpu, found)
    return await blamingLoss(host, async () => {
      const opened = { host, sheets: new Sheets(host), info: infoOf(found) }
      const doubt = await disproof(opened)
      if (doubt !== undefined) throw new BackendUnavailableError('webgl', doubt)
      return runtimeOf(opened)
    })
  } catch (error) {
    release(found.gl)
    throw error
  }
}

type Context = Extract<FoundContext, { gl: unknown }>

function infoOf({ gl, renderer, facts: { version, kind } }: Context): DeviceInfo {
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

function runtimeOf(opened: OpenedHost): Runtime {
  const { host, sheets, info } = opened
  const programs = new WeakSet<object>()
  return {
    info,
    facts: host.facts,
    prepare: (shape, design) =>
      blamingLoss(host, async () => {
        host.check()
        const designs = await design()
        const program = programOf(opened, designs, shape)
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
