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

/** Asks the platform once; never throws. */
export async function processor(): Promise<Processor> {
  const { navigator, process } = globalThis as {
    navigator?: { hardwareConcurrency?: number }
    process?: { versions?: { node?: string } }
  }
  if (process?.versions?.node) {
    try {
      const os = (await import('node:os')) as unknown as NodeOs
      const files = (await import('node:fs')) as unknown as NodeFiles
      const name = os.cpus()[0]?.model.trim() || 'CPU'
      return { name, threads: Math.min(os.availableParallelism(), quota(files)) }
    } catch {
      // Not Node after all, or a platform without these: what a browser knows is all there is.
    }
  }
  return { name: 'CPU', threads: navigator?.hardwareConcurrency ?? 1 }
}

/** Processors that a container may use, from its control group; all of them where there is no such limit. */
function quota({ readFileSync }: NodeFiles): number {
  try {
    const [limit = 'max', period = '100000'] = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8').split(/\s+/)
    return limit === 'max' ? Number.POSITIVE_INFINITY : Math.floor(Number(limit) / Number(period))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
