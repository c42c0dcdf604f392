/**
 * The processor as the platform describes it: its name, and how many threads this process may use.
 *
 * @module
 */
export interface Processor {
  readonly name: string
  readonly threads: number
}

interface NodeOs {
  cpus(): readonly { readonly model: string }[]
  availableParallelism(): number
}

interface NodeFiles {
  readFileSync(path: string, encoding: 'utf8'): string
}

interface Host {
  readonly navigator?: { readonly hardwareConcurrency?: number }
  readonly process?: { getBuiltinModule?(id: string): unknown }
}

/** What the platform says; never throws. Nothing of Node is imported, which bundlers for pages would refuse. */
export function processor(): Processor {
  const { navigator, process } = globalThis as Host
  try {
    const os = process?.getBuiltinModule?.('node:os') as NodeOs
    const files = process?.getBuiltinModule?.('node:fs') as NodeFiles
    const name = os.cpus()[0]?.model.trim() || 'CPU'
    return { name, threads: Math.min(os.availableParallelism(), quota(files)) }
  } catch {
    // Not Node, or a platform without these: what a browser knows is all there is.
    return { name: 'CPU', threads: navigator?.hardwareConcurrency ?? 1 }
  }
}

/** The processors that a container may use, from its control group, or all without such a limit. */
function quota({ readFileSync }: NodeFiles): number {
  try {
    const [limit = 'max', period = '100000'] = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8').split(/\s+/)
    return limit === 'max' ? Number.POSITIVE_INFINITY : Math.floor(Number(limit) / Number(period))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
