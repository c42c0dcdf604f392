/**
 * A rival in another program: it reads its points from standard input, then answers requests of one byte with numbers in float64.
 * `native/serve.h` and `near/serve.py` are the other side.
 */

import type { Numbers } from './points.ts'
import { Program } from './program.ts'

/** The running program. */
export class ServingProcess extends Program {
  /** @param input the arrays that the program reads before it answers requests */
  constructor(
    command: string,
    args: readonly string[],
    input: readonly Numbers[],
    env: Readonly<Record<string, string>> = {},
  ) {
    super(command, args, env)
    for (const array of input) this.write(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  }

  /** The milliseconds of a run, as it tells them. */
  async time(): Promise<number> {
    return (await this.numbers('r', 1))[0] as number
  }

  async numbers(request: string, length: number): Promise<Float64Array> {
    const answer = await this.ask(request, (_, bytes) => bytes >= 8 * length)
    return Float64Array.from({ length }, (_, n) => answer.readDoubleLE(8 * n))
  }
}
