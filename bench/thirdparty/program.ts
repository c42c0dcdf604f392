/** A running program that answers requests, one after the other, on its standard input and output. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'

/** Whether an answer is whole, from its parts so far and the number of their bytes. */
type IsWhole = (parts: readonly Buffer[], bytes: number) => boolean

export const isLine: IsWhole = (parts) => parts.at(-1)?.includes('\n') ?? false

export class Program {
  readonly process: ChildProcessWithoutNullStreams
  #waiting: { readonly isWhole: IsWhole; resolve(answer: Buffer): void; reject(error: Error): void } | undefined
  #parts: Buffer[] = []
  #said = ''
  #ended: Error | undefined

  /** @param env variables beside those of this process */
  constructor(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.process = spawn(command, args, { env: { ...process.env, ...env } })
    this.process.stdout.on('data', (bytes: Buffer) => {
      this.#parts.push(bytes)
      this.#answer()
    })
    this.process.stderr.on('data', (bytes: Buffer) => {
      this.#said += bytes.toString()
    })
    this.process.on('error', (error) => this.#fail(error))
    this.process.on('close', (code) => {
      const [last] = [this.#said, Buffer.concat(this.#parts).toString()].flatMap(
        (text) => text.trim().split('\n').at(-1) || [],
      )
      this.#fail(new Error(last ?? `the program ended with code ${code}`))
    })
    // The exit of a program reports its end; errors of its broken pipe add nothing.
    this.process.stdin.on('error', () => {})
  }

  write(input: string | Uint8Array): void {
    this.process.stdin.write(input)
  }

  /** The answer to a request. A program may send one without a request. @throws Error with its last line if it has ended */
  ask(request: string, isWhole: IsWhole): Promise<Buffer> {
    if (this.#ended) return Promise.reject(this.#ended)
    return new Promise((resolve, reject) => {
      this.#waiting = { isWhole, resolve, reject }
      this.write(request)
      this.#answer()
    })
  }

  end(): void {
    this.process.stdin.end()
  }

  #answer(): void {
    const waiting = this.#waiting
    const bytes = this.#parts.reduce((sum, { length }) => sum + length, 0)
    if (!waiting?.isWhole(this.#parts, bytes)) return
    this.#waiting = undefined
    waiting.resolve(Buffer.concat(this.#parts.splice(0)))
  }

  #fail(error: Error): void {
    this.#ended ??= error
    this.#waiting?.reject(this.#ended)
    this.#waiting = undefined
  }
}
