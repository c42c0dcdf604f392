// Attacks on a cluster that gives its clients the rights in the manual. One attack is a worker that lies and speaks for others. The other
// is a worker and a coordinator that send unreadable messages. Each try compares a run with one that nobody attacked.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClusterWorker, cluster, joinCluster } from '@manybody/cluster'
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { accelerations, type Backend, createEngine, type Engine, gravity, reference } from 'manybody'
import { encode } from '../../../packages/cluster/src/wire/message.ts'
import { partiesIn, senderIn } from '../../../packages/cluster/src/wire/subjects.ts'
import { numbers } from '../../support/numbers.ts'
import { type Client, clientOf, configurationFor, connected, linkOf } from '../keys.ts'
import { startNatsServer } from '../nats-server.ts'
import { payloads } from './payloads.ts'

export interface Outcome {
  readonly attack: string
  readonly how: string
  readonly tries: number
  /** Runs that failed or differ from the undisturbed one, and honest workers that were left out. */
  readonly bad: number
  /** Tries after which the engine names the attacker. */
  readonly named: number
  /** Milliseconds of the longest try. */
  readonly longest: number
}

const workload = accelerations(gravity({ softening: 0.05 }))
const particlesOf = (points: number) => ({ position: numbers(3 * points, 1), mass: numbers(points, 2) })

/** The reference, but once it is proven, its results are three times too large. */
function lying(): Backend {
  const good = reference()
  const open: Backend['open'] = async (options) => {
    const device = await good.open(options)
    const prepare: typeof device.prepare = async (...given) => {
      const program = await device.prepare(...given)
      if (given[1].targets <= 67) return program
      const run: typeof program.run = async (...call) => {
        const results = await program.run(...call)
        for (const array of Object.values(results))
          for (let n = 0; n < array.length; n++) array[n] = 3 * (array[n] as number)
        return results
      }
      return {
        dispose: () => program.dispose(),
        get report() {
          return program.report
        },
        run,
      }
    }
    return { ...device, prepare }
  }
  return { ...good, open }
}

/** Starts a server with two honest workers and an honest coordinator, and a hostile worker and a hostile coordinator. */
export async function attacked(
  program: string,
  { tries, points }: { readonly tries: number; readonly points: number },
  log: (line: string) => void,
): Promise<readonly Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'manybody-attacks-'))
  const [honest, other, hostile] = [clientOf(['worker']), clientOf(['worker']), clientOf(['worker'])]
  const [coordinator, stranger] = [clientOf(['coordinator']), clientOf(['coordinator'])]
  const file = configurationFor(folder, [honest, other, hostile, coordinator, stranger])
  const server = await startNatsServer(program, ['--config', file])
  const join2 = (client: Client, backend: Backend) =>
    joinCluster({ ...linkOf(server.url, client), backends: [backend] })
  const workers = await Promise.all([honest, other].map((client) => join2(client, reference())))
  const engineWith = (recheck: number) =>
    createEngine({ backends: [cluster({ ...linkOf(server.url, coordinator), always: true, recheck })] })
  const particles = particlesOf(points)
  const truth = await truthOf(engineWith, particles)
  const stage: Stage = { workers, hostile: hostile.key, engineWith, particles, truth }
  const hands = await Promise.all([hostile, stranger].map((client) => connected(server.url, client)))
  const [worker, asker] = hands as [NatsConnection, NatsConnection]
  try {
    const outcomes: Outcome[] = []
    const add = (outcome: Outcome) => {
      outcomes.push(outcome)
      log(rowOf(outcome))
    }
    for (const recheck of [0.05, 1]) add(await forged(stage, recheck, tries, worker, () => join2(hostile, lying())))
    add(await malformed(stage, Math.max(tries, Object.keys(payloads).length), worker, hostile, asker, stranger))
    return outcomes
  } finally {
    for (const hand of hands) await hand.close()
    for (const one of workers) await one.leave()
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

export const heads = ['attack', 'how it is induced', 'tries', 'bad', 'attacker named', 'longest, ms'] as const

const rowOf = ({ attack, how, tries, bad, named, longest }: Outcome) =>
  `| ${[attack, how, tries, bad, named, longest.toFixed(0)].join(' | ')} |`

interface Stage {
  readonly workers: readonly ClusterWorker[]
  /** The key of the attacker. */
  readonly hostile: string
  readonly engineWith: (recheck: number) => Promise<Engine>
  readonly particles: ReturnType<typeof particlesOf>
  readonly truth: Float32Array
}

async function truthOf(engineWith: Stage['engineWith'], particles: Stage['particles']): Promise<Float32Array> {
  const engine = await engineWith(0)
  const { acceleration } = await engine.run(workload, particles)
  engine.dispose()
  return acceleration
}

interface Tried {
  readonly bad: boolean
  readonly named: boolean
  readonly took: number
}

/** Opens an engine and runs, while an attack goes on. */
async function attempt({ workers, hostile, engineWith, particles, truth }: Stage, recheck: number): Promise<Tried> {
  const began = performance.now()
  let engine: Engine | undefined
  try {
    engine = await engineWith(recheck)
    const { acceleration, report } = await engine.run(workload, particles)
    const notes = engine.device.info.notes?.join('\n') ?? ''
    const right = report.backend === 'cluster' && acceleration.every((x, n) => x === truth[n])
    const blamed = workers.some(({ id }) => notes.includes(id.split('.')[0] as string))
    return { bad: !right || blamed, named: notes.includes(hostile), took: performance.now() - began }
  } catch {
    return { bad: true, named: false, took: performance.now() - began }
  } finally {
    engine?.dispose()
  }
}

const outcomeOf = (attack: string, how: string, tried: readonly Tried[]): Outcome => ({
  ...{ attack, how, tries: tried.length },
  bad: tried.filter(({ bad }) => bad).length,
  named: tried.filter(({ named }) => named).length,
  longest: Math.max(...tried.map(({ took }) => took)),
})

/** The attacker computes wrongly, and forges the same results in the names of all other workers. */
async function forged(
  stage: Stage,
  recheck: number,
  tries: number,
  hand: NatsConnection,
  join2: () => Promise<ClusterWorker>,
): Promise<Outcome> {
  const tried: Tried[] = []
  for (let n = 0; n < tries; n++) {
    const liar = await join2()
    const hears = hand.subscribe(`manybody.default.call.${stage.hostile}.>`, {
      callback: (_, message: Msg) => {
        const { coordinator, run } = partiesIn(message.subject)
        for (const { id } of stage.workers)
          for (const task of ['1', '2', '3'])
            hand.publish(
              `manybody.default.result.${id}.${coordinator}.${run}`,
              encode({ kind: 'failed', task, reason: 'x' }),
            )
      },
    })
    for (const { id } of stage.workers) hand.publish(`manybody.default.leaving.${id}`)
    tried.push(await attempt(stage, recheck))
    hears.unsubscribe()
    await liar.leave()
  }
  const how = `a worker triples its results, and says that others fail and leave; \`recheck: ${recheck}\``
  return outcomeOf('forged results', how, tried)
}

/** A worker answers, and a coordinator asks, with every kind of unreadable message. */
async function malformed(
  stage: Stage,
  tries: number,
  worker: NatsConnection,
  hostile: Client,
  asker: NatsConnection,
  stranger: Client,
): Promise<Outcome> {
  const [self, from] = [hostile, stranger].map(({ key }) => `${key}.${'0'.repeat(32)}`) as [string, string]
  const tried: Tried[] = []
  const under = 'manybody.default'
  const kinds = Object.values(payloads)
  for (let n = 0; n < tries; n++) {
    const payload = kinds[n % kinds.length] as Uint8Array
    const answering = [
      worker.subscribe(`${under}.hello.>`, {
        callback: (_, { subject, data }: Msg) => {
          const run = /"run":"([0-9a-f]+)"/.exec(new TextDecoder().decode(data))?.[1]
          worker.publish(`${under}.result.${self}.${senderIn(subject)}.${run}`, payload)
          worker.publish(`${under}.leaving.${self}`, payload)
        },
      }),
    ]
    const asking = setInterval(() => {
      for (const { id } of stage.workers) asker.publish(`${under}.call.${id}.${from}.0`, payload)
      asker.publish(`${under}.hello.${from}`, payload)
      asker.publish(`${under}.push.${from}`, payload)
      asker.publish(`${under}.array.${stranger.key}.x.0`, payload)
    }, 5)
    tried.push(await attempt(stage, 0))
    clearInterval(asking)
    for (const one of answering) one.unsubscribe()
  }
  const how = `${Object.keys(payloads).length} kinds of messages that nobody can read, by a worker and by a coordinator, on all their subjects`
  return outcomeOf('malformed messages', how, tried)
}
