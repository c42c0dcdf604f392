// The messages from the page to its server. Types only.

import type { CaseResult } from '@manybody/conformance'

export type Told =
  | {
      readonly kind: 'threads'
      readonly isolated: boolean
      readonly features: readonly string[]
      readonly notes: readonly string[]
    }
  | { readonly kind: 'unavailable'; readonly backend: string; readonly reason: string }
  | {
      readonly kind: 'suite'
      readonly backend: string
      readonly device: string
      readonly cases: number
      readonly failed: readonly CaseResult[]
    }
  | { readonly kind: 'end'; readonly error?: string }
