/** The scripted model server, for tests and demonstrations. */
export { streamOf, textStep, type Reply, type ScriptedUsage, type Step, type StreamReply } from "./script.ts";
export {
  startScriptedServer,
  type RecordedRequest,
  type ScriptedServer,
  type ScriptedServerOptions,
} from "./server.ts";
