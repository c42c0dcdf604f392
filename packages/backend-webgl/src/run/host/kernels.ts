/**
 * The kernels of a device, each compiled once. Programs with the same passes share a kernel. The latest kernels stay when their
 * programs are disposed of: most later programs differ only in the number of points or in parameters, and the text contains
 * neither.
 *
 * @module
 */
import type { SheetSize } from '../../design/layout.ts'

interface Kernel {
  /** Whether a run has succeeded. */
  readonly proven: boolean
  dispose(): void
}

interface Shared<K> {
  readonly kernel: K
  readonly size: SheetSize
  users: number
}

/** Number of kernels that are kept without a program. The kernel that lost its program first is freed first. */
const mostIdle = 32

/** The largest sheet, in texels, that a kept kernel may have: 1 MiB. gpu.js keeps such a sheet for each kernel. */
const mostTexels = 2 ** 16

export class Kernels<K extends Kernel> {
  readonly #shared = new Map<string, Shared<K>>()

  /** The kernel of a source, which is compiled if necessary. Each call needs a `release`. */
  take(source: string, size: SheetSize, compile: () => K): K {
    const shared = this.#shared.get(source) ?? { kernel: compile(), size, users: 0 }
    shared.users++
    this.#shared.set(source, shared)
    return shared.kernel
  }

  release(source: string): void {
    const shared = this.#shared.get(source)
    if (!shared || --shared.users > 0) return
    this.#shared.delete(source)
    const { width, height } = shared.size
    if (!shared.kernel.proven || width * height > mostTexels) {
      shared.kernel.dispose()
      return
    }
    // Last in the map, so that it is freed last.
    this.#shared.set(source, shared)
    const idle = [...this.#shared].filter(([, { users }]) => users === 0)
    const [oldest, left] = idle[0] ?? []
    if (oldest === undefined || idle.length <= mostIdle) return
    this.#shared.delete(oldest)
    left?.kernel.dispose()
  }
}
