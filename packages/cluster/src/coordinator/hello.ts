/**
 * Asks which workers are there.
 *
 * @module
 */
import type { Address } from '../wire/address.ts'
import { protocol } from '../wire/job.ts'
import type { Link } from '../wire/link.ts'
import { encode } from '../wire/message.ts'
import { anyone } from '../wire/subjects.ts'
import { infoIn, type WorkerInfo } from '../wire/worker-info.ts'
import type { Replies } from './replies.ts'

export interface Greeting {
  /** Resolves when nobody has answered for a while. */
  readonly quiet: Promise<void>
  /** Stops listening for late answers. */
  readonly end: () => void
}

/**
 * Longest waits, in milliseconds: for the first answer, for each further one, and for all together. Most answers take a few milliseconds.
 */
export interface Patience {
  readonly first: number
  readonly next: number
  readonly all: number
}

/** Further answers are not heard: anybody with a key could make them up. */
const mostAnswers = 10_000

/**
 * Asks all workers to describe themselves.
 *
 * @param hear gets each description, or nothing in place of one that is malformed
 */
export function greet(
  { connection, subjects, self }: Pick<Link, 'connection' | 'subjects' | 'self'>,
  replies: Replies,
  { first, next, all }: Patience,
  hear: (from: Address, info: WorkerInfo | undefined) => void,
): Greeting {
  let hush = () => {}
  const quiet = new Promise<void>((resolve) => {
    hush = resolve
  })
  const deadline = setTimeout(hush, all)
  let timer = setTimeout(hush, first)
  const heard = new Set<Address>()
  const { run, end } = replies.beginAll((from, { data, headers }) => {
    if (heard.has(from) || heard.size >= mostAnswers) return
    heard.add(from)
    clearTimeout(timer)
    // The server reports that no worker receives the question.
    if (headers?.code === 503) {
      hush()
      return
    }
    timer = setTimeout(hush, next)
    hear(from, infoIn(data, from))
  })
  connection.publish(subjects.hello(self), encode({ protocol, run }), { reply: subjects.result(anyone, self, run) })
  return {
    quiet,
    end: () => {
      clearTimeout(timer)
      clearTimeout(deadline)
      hush()
      end()
    },
  }
}

/** The workers that answer. It also waits for workers far away, because its callers compute nothing meanwhile. */
export async function whoIsThere(link: Link, replies: Replies): Promise<WorkerInfo[]> {
  const found: WorkerInfo[] = []
  const { quiet, end } = greet(link, replies, { first: 1500, next: 600, all: 3000 }, (_, info) => {
    if (info) found.push(info)
  })
  await quiet
  end()
  return found
}
