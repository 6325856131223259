// The page of one's account: what is chosen there of the table's look is shown by its sample at once.

import { connectLook } from "./look.js";

connectLook();
