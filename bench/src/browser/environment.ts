/** A browser as an environment of the record, as far as it describes its machine. */

import platform from 'platform'
import type { Environment, Machine } from '../record.ts'
import { timerResolution } from '../timing/timer-resolution.ts'

export function browserEnvironment(): Environment {
  const [, chromium] = /Chrome\/([\d.]+)/.exec(navigator.userAgent) ?? []
  const headless = /Headless/.test(navigator.userAgent) ? ' (headless)' : ''
  const [name, version] = chromium ? ['Chromium', chromium] : [platform.name ?? 'browser', platform.version ?? '']
  return {
    name: `${name} ${version.split('.')[0]}${headless}`,
    isolated: crossOriginIsolated,
    threads: navigator.hardwareConcurrency,
    timerResolution: timerResolution(),
    versions: { [name.toLowerCase()]: version },
  }
}

export function browserMachine(): Machine {
  const { deviceMemory } = navigator as { deviceMemory?: number }
  return {
    cpu: 'not told by the browser',
    cores: navigator.hardwareConcurrency,
    ...(deviceMemory === undefined ? {} : { memoryGiB: deviceMemory }),
    platform: platform.os?.toString() ?? 'unknown',
  }
}
