import { defineAgent } from "@cursor/bdk";

export default defineAgent({ description: "Writes one line into the log.", instructions: "Write down what you are given." });
