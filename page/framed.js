// The page as Discord frames it: how it comes in there is settled before the table opens.

import "./connection/activity.js";
import "./main.js";
