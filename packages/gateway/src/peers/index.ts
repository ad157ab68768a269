export type { PeerMessage, Peers } from './contract.ts'
export { createPeers } from './peers.ts'
