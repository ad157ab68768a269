export { offerSamples } from './offer-samples.ts'
export { isSample } from './sample-list.ts'
