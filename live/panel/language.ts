/**
 * A headless Chromium without a locale reports the language `en-US@posix`. uPlot's number format throws on it while uPlot loads. Import
 * this before uPlot. It can go when uPlot takes such a language.
 */

try {
  new Intl.NumberFormat(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
}
