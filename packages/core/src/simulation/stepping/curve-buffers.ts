/**
 * The numbers of tabulated functions on one device, from which maps gather those of each call.
 *
 * @module
 */
import type { Device, PointSet } from '../../contract/backend.ts'
import { sourcesOf } from '../forces/curve-calls.ts'
import type { Looked } from '../forces/curve-scope.ts'
import { fill, type NamedBuffers } from './buffers.ts'

type Elements = 'kinds' | 'steps'

export class CurveBuffers {
  readonly #of = new Map<string, NamedBuffers>()

  constructor(readonly device: Device) {}

  /** The whole functions of a call by kind, or the steps of all of them. */
  of({ array }: Looked, elements: Elements): PointSet {
    const arrays = this.#of.get(`${array} ${elements}`) as NamedBuffers
    return { count: Object.values(arrays)[0]?.length ?? 0, arrays }
  }

  async allocate(calls: readonly Looked[]): Promise<void> {
    for (const call of calls)
      for (const elements of ['kinds', 'steps'] as const) {
        if (elements === 'kinds' && call.kind === undefined) continue
        const buffers: NamedBuffers = {}
        this.#of.set(`${call.array} ${elements}`, buffers)
        await fill(this.device, buffers, sourcesOf(call, elements))
      }
  }

  dispose(): void {
    for (const buffers of this.#of.values()) for (const buffer of Object.values(buffers)) buffer.dispose()
    this.#of.clear()
  }
}
