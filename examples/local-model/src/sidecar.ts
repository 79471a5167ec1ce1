/** The sidecar process. Its settings come from its own environment, which `plugin-env/local-model.env` adds to. */
import { serve } from "@reasonix-ts/sdk";
import { localModel } from "./extension.ts";

const {
  LOCAL_MODEL_URL = "http://127.0.0.1:8080/v1",
  LOCAL_MODEL_KEY = "",
  LOCAL_MODEL_CONTEXT = "32768",
} = process.env;

serve(
  localModel({
    url: LOCAL_MODEL_URL.replace(/\/+$/, ""),
    key: LOCAL_MODEL_KEY,
    contextWindow: Number.parseInt(LOCAL_MODEL_CONTEXT, 10),
  }),
);
