/**
 * Reads from the platform the name of the processor, and how many threads this process may use.
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

/** Describes the processor; never throws. It imports no module of Node, because bundlers for pages would reject that. */
export function processor(): Processor {
  const { navigator, process } = globalThis as Host
  try {
    const os = process?.getBuiltinModule?.('node:os') as NodeOs
    const files = process?.getBuiltinModule?.('node:fs') as NodeFiles
    const name = os.cpus()[0]?.model.trim() || 'CPU'
    return { name, threads: Math.min(os.availableParallelism(), quota(files)) }
  } catch {
    // This is a browser, or another platform without these modules of Node.
    return { name: 'CPU', threads: navigator?.hardwareConcurrency ?? 1 }
  }
}

/** The number of processors that the control group of a container allows; infinite without a limit. */
function quota({ readFileSync }: NodeFiles): number {
  try {
    const [limit = 'max', period = '100000'] = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8').split(/\s+/)
    return limit === 'max' ? Number.POSITIVE_INFINITY : Math.floor(Number(limit) / Number(period))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
