/**
 * A headless Chromium without a locale says that its language is `en-US@posix`, with which uPlot's numbers throw when it is
 * loaded. Import this before uPlot. Can go when uPlot takes such a language.
 */

try {
  new Intl.NumberFormat(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
}
