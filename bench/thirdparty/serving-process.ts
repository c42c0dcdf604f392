/**
 * A rival in another program: it reads its points from standard input, then answers requests of one byte with numbers in float64.
 * `native/serve.h` and `near/serve.py` are the other side.
 */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Numbers } from './points.ts'

/** The running program. */
export class ServingProcess {
  readonly #process: ChildProcessWithoutNullStreams
  #waiting: { readonly bytes: number; resolve(answer: Buffer): void; reject(error: Error): void } | undefined
  #received: Buffer[] = []
  #bytes = 0
  #said = ''
  #ended: Error | undefined

  /** @param input the arrays that the program reads before it answers requests */
  constructor(
    command: string,
    args: readonly string[],
    input: readonly Numbers[],
    env: Readonly<Record<string, string>> = {},
  ) {
    this.#process = spawn(command, args, { env: { ...process.env, ...env } })
    this.#process.stdout.on('data', (bytes: Buffer) => this.#receive(bytes))
    this.#process.stderr.on('data', (bytes: Buffer) => {
      this.#said += bytes.toString()
    })
    this.#process.on('error', (error) => this.#fail(error))
    this.#process.on('close', (code) =>
      this.#fail(new Error(this.#said.trim() || `the program ended with code ${code}`)),
    )
    // The exit of a program reports its end; errors of its broken pipe add nothing.
    this.#process.stdin.on('error', () => {})
    for (const array of input)
      this.#process.stdin.write(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  }

  /** The single number that answers a request. */
  async ask(request: string): Promise<number> {
    return (await this.#answer(request, 8)).readDoubleLE()
  }

  async results(request: string, length: number): Promise<Float64Array> {
    const bytes = await this.#answer(request, 8 * length)
    const results = new Float64Array(length)
    for (let n = 0; n < length; n++) results[n] = bytes.readDoubleLE(8 * n)
    return results
  }

  end(): void {
    this.#process.stdin.end()
  }

  #answer(request: string, bytes: number): Promise<Buffer> {
    if (this.#ended) return Promise.reject(this.#ended)
    return new Promise((resolve, reject) => {
      this.#waiting = { bytes, resolve, reject }
      this.#process.stdin.write(request)
    })
  }

  #receive(bytes: Buffer): void {
    this.#received.push(bytes)
    this.#bytes += bytes.length
    const waiting = this.#waiting
    if (!waiting || this.#bytes < waiting.bytes) return
    this.#waiting = undefined
    this.#bytes = 0
    waiting.resolve(Buffer.concat(this.#received.splice(0)))
  }

  #fail(error: Error): void {
    this.#ended ??= error
    this.#waiting?.reject(this.#ended)
    this.#waiting = undefined
  }
}
