/**
 * Runs stages in order, repeatedly. Arrays stay on the device between stages and between repetitions.
 *
 * @module
 */
import type { Bindings, DeviceBuffer, Sequence, Stage } from '@manybody/core'
import { lengthOf, type RunRanges, UnsupportedWorkloadError } from '@manybody/core/backend'
import { blamingLoss } from '../host/blame.ts'
import { WebglBuffer } from '../host/buffer.ts'
import type { GlHost } from '../host/host.ts'
import { WaitEstimate } from '../host/wait-estimate.ts'
import type { WebglProgram } from './program.ts'

/** Milliseconds of work to submit before waiting for the device. */
const budget = 50

/**
 * @throws TypeError if a stage has a program or buffer of another device
 * @throws RangeError if a range or a buffer does not fit the program
 * @throws {@link UnsupportedWorkloadError} if a result cannot stay on the device
 */
export function sequenceOf(host: GlHost, programs: WeakSet<object>, stages: readonly Stage[]): Sequence {
  let now = stages
  const checked = stages.flatMap(({ program, outputs, ...given }, place) => {
    if (!programs.has(program))
      throw new TypeError('"program" expected a program of this device, got one of another device; prepare it again')
    const webgl = program as WebglProgram
    const ranges = webgl.ranges(given, given.bindings)
    for (const [name, buffer] of Object.entries(outputs)) checkOutput(webgl, ranges, name, buffer)
    if (lengthOf(ranges.targets) === 0) return []
    return [{ program: webgl, place, ranges, outputs: outputs as Readonly<Record<string, WebglBuffer>> }]
  })
  const once = () => {
    for (const { program, place, ranges, outputs } of checked)
      for (const [name, sheet] of Object.entries(
        program.submit(now[place]?.bindings as Bindings, Object.keys(outputs), ranges),
      ))
        outputs[name]?.replace(sheet)
  }
  const latest = () => checked.flatMap(({ outputs }) => Object.values(outputs)).at(-1)?.sheet
  const estimate = new WaitEstimate(0)
  return {
    renumber(others) {
      now = others
      return true
    },
    run: (times, { signal, onProgress } = {}) =>
      blamingLoss(
        host,
        async () => {
          let batch = 1
          for (let done = 0; done < times; ) {
            signal?.throwIfAborted()
            const start = performance.now()
            const count = Math.min(batch, times - done)
            for (let n = 0; n < count; n++) once()
            await host.finished(latest, estimate.expected(count))
            const spent = performance.now() - start
            estimate.learn(count, spent)
            done += count
            if (spent < budget / 2) batch *= 2
            else if (spent > 2 * budget) batch = Math.max(1, batch >> 1)
            onProgress?.(done / times)
          }
        },
        signal,
      ),
    dispose: () => {},
  }
}

function checkOutput(program: WebglProgram, { targets }: RunRanges, name: string, buffer: DeviceBuffer): void {
  const components = program.resident[name]
  if (components === undefined) {
    const resident = Object.keys(program.resident).join(', ') || 'none'
    throw new UnsupportedWorkloadError(
      name,
      'webgl',
      `it cannot stay on the device in a sequence (results that can: ${resident}); run the program by itself`,
    )
  }
  if (!(buffer instanceof WebglBuffer))
    throw new TypeError(`"outputs.${name}" expected a buffer of this device, got one of another device`)
  const length = components * lengthOf(targets)
  if (buffer.length !== length)
    throw new RangeError(`"outputs.${name}" expected a buffer of length ${length}, got ${buffer.length}`)
}
