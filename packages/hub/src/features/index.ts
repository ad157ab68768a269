export type {
  FeatureAsk,
  FeatureNotice,
  FeatureOutcome,
  FeatureServer,
  Features,
} from './contract.ts'
export { createFeatures } from './features.ts'
