/**
 * The changes of a simulation since its state was saved. If the device is lost, another stepper makes them again, each after the same
 * step.
 *
 * @module
 */
import type { Stepper } from './stepper.ts'

/** A change of the simulation, and how many steps it had taken before. */
export interface Change {
  readonly steps: number
  /** Undefined if it is done. */
  readonly apply: (stepper: Stepper) => Promise<void> | undefined
  /** Whether it sets all numbers. */
  readonly numbers?: true
}

/** The most changes that are made again after a device was lost. */
const mostChanges = 1000

/** They hold at most so many numbers of points, or as many times the numbers of all positions. */
const [mostNumbers, mostTimes] = [100_000, 4]

export class ChangeLog {
  readonly #changes: Change[] = []
  /** How many of them the stepper has made. */
  #done = 0
  /** How many numbers of points are among them. */
  #written = 0

  get changes(): readonly Change[] {
    return this.#changes
  }

  /** Whether the stepper has made all of them. */
  get done(): boolean {
    return this.#done === this.#changes.length
  }

  /** Whether the state should be saved instead. @param positions the numbers of all positions */
  full(positions: number): boolean {
    return this.#changes.length > mostChanges || this.#written > Math.max(mostNumbers, mostTimes * positions)
  }

  /** The stepper has made a change. @param numbers how many numbers of points the change holds */
  made(change: Change, numbers: number): void {
    this.#changes.push(change)
    this.#done = this.#changes.length
    this.#written += numbers
  }

  /** All numbers are set. Of several such changes without a step between, the last one counts. */
  renumbered(change: Change, made: boolean): void {
    const last = this.#changes.at(-1)
    if (last?.numbers && last.steps === change.steps) {
      this.#changes.pop()
      this.#done = Math.min(this.#done, this.#changes.length)
    }
    this.#changes.push(change)
    if (made) this.#done = this.#changes.length
  }

  /** Makes the changes that a stepper lacks. @param advance takes it up to a number of steps */
  async catchUp(stepper: Stepper, advance: (steps: number) => Promise<void>): Promise<void> {
    for (; this.#done < this.#changes.length; this.#done++) {
      const { steps, apply } = this.#changes[this.#done] as Change
      await advance(steps)
      await apply(stepper)
    }
  }

  /** The next stepper has made none of them. */
  again(): void {
    this.#done = 0
  }

  clear(): void {
    this.#changes.length = 0
    this.#done = 0
    this.#written = 0
  }
}
