// Waits for the app from `prepare.ts`, in tests that need it.

import { existsSync, readFileSync } from 'node:fs'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    prepared: {
      /** A folder that is empty at first. */
      readonly app: string
      /** A file that is written when the app is ready, or with the reason if it cannot be made. */
      readonly outcome: string
    }
  }
}

/** The folder of the app. By then, the runtimes are installed, too. */
export async function preparedApp(): Promise<string> {
  const { app, outcome } = inject('prepared')
  while (!existsSync(outcome)) await new Promise((resolve) => setTimeout(resolve, 100))
  const failure = readFileSync(outcome, 'utf8')
  if (failure !== '') throw new Error(failure)
  return app
}
