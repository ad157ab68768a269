export {
  createRunLeases,
  type RunLease,
  type RunLeases,
  type RunLeasesOptions,
} from './run-leases.ts'
