// The command line of the trainer.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace edgewise::train {

/// Defaults are the recipe of Kipf & Welling 2017; `recipe_of` has those of the other models.
struct options {
  std::string model = "gcn";
  std::string data = "karate";                // "karate", "sbm", or a folder (folder_task.hpp)
  std::string device = "cpu";                 // "cpu" or "cuda"
  bool ranks = false;                         // each of several processes trains with its part of the graph (ranks.hpp)
  std::string partition = "edges";            // with `ranks`: "edges" or "metis"
  std::int64_t num_heads = 1;                 // of the first layer of gat, gatv2 and gt; of monet the kernels of both
  std::int64_t num_output_heads = 1;          // of the last layer, averaged; gat, gatv2 and gt
  std::int64_t num_hidden = 16;               // of each head
  std::int64_t num_bases = 0;                 // rgcn; 0: one for each type of edges and one for self edges
  std::string features = "automatic";         // products of sparse features: "sparse", "dense" or the faster ones
  std::int64_t batch_size = 0;                // training rows of a batch; 0: all, on the whole graph
  std::vector<std::int64_t> fanouts{10, 10};  // neighbors sampled for a vertex of a batch, by layer from the last
  int num_epochs = 200;
  int num_runs = 1;
  double dropout = 0.5;
  double attention_dropout = 0.0;  // gat, gatv2 and gt; of appnp the entries of the adjacency
  double learning_rate = 0.01;
  std::string schedule = "constant";  // of the learning rate (models/learning_rate.hpp)
  int step_epochs = 100;              // of schedule "step"
  double step_factor = 0.1;           // of schedule "step"
  int patience = 0;             // epochs of worse validation after which a run ends (early_stopping.hpp); 0 runs all
  double weight_decay = 5e-4;   // on the first layer of appnp, gcn and rgcn; on everything for the others
  std::string select = "last";  // whose test accuracy is the run's: the "last" epoch's or that of "best" validation
  std::uint64_t seed = 0;       // of the first run; run i uses seed + i
  int num_threads = 0;          // on the CPU; 0 means all
  int print_every = 20;         // epochs between printed lines; 0 prints none
  std::string log;              // JSON file; empty writes none
  std::string save;             // checkpoint written when a run ends; empty writes none
  int save_every = 0;           // epochs after which `save` is written, too; 0 writes it at the end alone
  std::string save_best;        // checkpoint written after every epoch that is the best so far; empty writes none
  std::string resume;           // checkpoint to go on from; empty begins anew
};

/// The options that the authors of a model train it with on Cora, for a fixed number of epochs in place of early
/// stopping: gcn (Kipf & Welling 2017), gat (Velickovic et al. 2018), gatv2 (DGL's example), sgc (Wu et al. 2019), agnn
/// (Thekumparampil et al. 2018), appnp (Gasteiger et al. 2019), monet (DGL's example), sage (GCN's, as DGL's example).
/// Others were trained on other data: gt takes GAT's options; gin, pna and sage_max take GCN's with the epoch of best
/// validation, gin with ten times its weight decay; rgcn takes those of its authors for AIFB (Schlichtkrull et al.
/// 2018).
options recipe_of(std::string const& model);

/// Thrown by `parse_options` for --help; `what()` is the text to print.
class help_requested : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Reads the command line; what it leaves out is as in the recipe of the model that it names. Throws `invalid_argument`
/// for what it does not understand and `help_requested` for --help.
options parse_options(int argc, char const* const* argv);

}  // namespace edgewise::train
